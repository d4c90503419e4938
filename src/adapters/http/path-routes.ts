// The routes of each path: any other method gets 405.
import type { Deprecation } from './deprecation.js'
import { allowOf, servedBy } from './messages/methods.js'
import type { Route } from './routes.js'

export interface PathRoutes {
  /** Its variable parts in braces. */
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Route>
  /** The value of `Allow`. */
  readonly allow: string
  readonly deprecation: Deprecation | undefined
  readonly isProbe: boolean
}

/** The routes of a path that was sent. */
export interface Match {
  readonly target: PathRoutes
  /** The values of the variable parts, by their names. */
  readonly params: Readonly<Record<string, string>>
}

const deprecationOf = (route: Route): readonly Deprecation[] =>
  route._tag === 'Key' && route.deprecation !== undefined ? [route.deprecation] : []

const pathRoutes = (path: string, routes: readonly Route[]): PathRoutes => ({
  path,
  byMethod: new Map(routes.flatMap((route) => servedBy(route.method).map((method) => [method, route] as const))),
  allow: allowOf(routes.map(({ method }) => method)),
  deprecation: routes.flatMap(deprecationOf)[0],
  isProbe: routes.some((route) => route._tag === 'Public' && route.isProbe),
})

/** One entry per path, in the order of the table. */
export const byPath = (table: readonly Route[]): readonly PathRoutes[] =>
  [...new Set(table.map(({ path }) => path))].map((path) =>
    pathRoutes(
      path,
      table.filter((route) => route.path === path),
    ),
  )

/** The path in the notation of path-to-regexp: `/pets/:petId`. */
export const patternOf = ({ path }: PathRoutes): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

/** Looks paths without variable parts up in a map, and the others with a router, because a router tries every pattern on every path. */
export const exactFirst = (
  paths: readonly PathRoutes[],
  makeRouter: (variable: readonly PathRoutes[]) => (path: string) => Match | undefined,
): ((path: string) => Match | undefined) => {
  const isExact = (target: PathRoutes): boolean => patternOf(target) === target.path
  const exact = new Map(paths.filter(isExact).map((target): [string, Match] => [target.path, { target, params: {} }]))
  const find = makeRouter(paths.filter((target) => !isExact(target)))
  return (path) => exact.get(path) ?? find(path)
}
