// The routes of each path: HEAD works as GET, OPTIONS needs no key, any other method gets 405.
import type { Deprecation, Route } from './routes.js'

/** The methods that any route supports. */
export const EVERY_METHOD = 'GET, HEAD, POST, OPTIONS'

export interface PathRoutes {
  /** Its variable parts in braces. */
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Route>
  /** The value of `Allow`. */
  readonly allow: string
  readonly deprecation: Deprecation | undefined
  readonly isProbe: boolean
}

const deprecationOf = (route: Route): readonly Deprecation[] =>
  route._tag === 'Key' && route.deprecation !== undefined ? [route.deprecation] : []

const pathRoutes = (path: string, routes: readonly Route[]): PathRoutes => {
  const served = routes.flatMap((route): (readonly [string, Route])[] =>
    route.method === 'GET'
      ? [
          ['GET', route],
          ['HEAD', route],
        ]
      : [[route.method, route]],
  )
  return {
    path,
    byMethod: new Map(served),
    allow: [...served.map(([method]) => method), 'OPTIONS'].join(', '),
    deprecation: routes.flatMap(deprecationOf)[0],
    isProbe: routes.some((route) => route._tag === 'Public' && route.isProbe),
  }
}

/** One entry per path, in the order of the table. */
export const byPath = (table: readonly Route[]): readonly PathRoutes[] =>
  [...new Set(table.map(({ path }) => path))].map((path) =>
    pathRoutes(
      path,
      table.filter((route) => route.path === path),
    ),
  )
