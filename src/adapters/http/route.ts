// Routes: method, path, who may call it, and endpoint. Grouped by path, to respond 405 to other methods.
import type { Either } from 'fp-ts/lib/Either.js'
import type { Scope } from '../../domain/api-keys/api-key.js'
import type { Caller } from '../../domain/api-keys/authenticate.js'
import type { AnyFailure, HttpFailure } from './failures.js'
import { allowOf, type HeaderFields, type HttpRequest, type Method, type Reply, servedBy } from './messages/message.js'

/** Only failures.ts turns a failure into a reply. */
export type Result = Either<AnyFailure, Reply>

/** Needs no API key. */
export type PublicEndpoint = (request: HttpRequest) => Promise<Result>

/** Called once the key, its scope and its rate are accepted. */
export type Endpoint = (request: HttpRequest, caller: Caller) => Promise<Result>

/** Checks the headers, and returns the function that handles the body. */
export type BodyEndpoint = (
  request: HttpRequest,
  caller: Caller,
) => Either<HttpFailure, (body: Uint8Array) => Promise<Result>>

/** The files to serve by path. `publicUrl`: the public base address, with `/v1`. */
export type Documentation = (
  publicUrl: string | undefined,
) => readonly (readonly [path: string, endpoint: PublicEndpoint])[]

/** Announces the removal of an operation (RFC 9745, RFC 8594). */
export interface Deprecation {
  /** The date of the announcement, as a structured field date. */
  readonly since: string
  readonly sunset: string
  /** The path of its successor, below the base address. */
  readonly successor: string
}

const deprecationFields =
  ({ since, sunset, successor }: Deprecation) =>
  (baseUrl: string): HeaderFields => {
    // every base address ends with `/v1`, and the policy is beside that
    const policy = `${baseUrl.slice(0, -'/v1'.length)}/docs`
    return [
      ['Deprecation', since],
      ['Sunset', sunset],
      ['Link', `<${policy}>; rel="deprecation", <${baseUrl}${successor}>; rel="successor-version"`],
    ]
  }

interface Row {
  readonly method: Method
  /** Its variable parts in braces. */
  readonly path: string
}

/** Needs a key that has the scope and is within its rate. */
interface KeyedRow extends Row {
  readonly scope: Scope
  readonly deprecation?: Deprecation
}

/** A public route needs no key; a probe is served even under overload. */
export type Route =
  | (Row & { readonly _tag: 'Public'; readonly isProbe: boolean; readonly endpoint: PublicEndpoint })
  | (KeyedRow & { readonly _tag: 'Key'; readonly endpoint: Endpoint })
  | (KeyedRow & { readonly _tag: 'Body'; readonly endpoint: BodyEndpoint })
export type PublicRoute = Extract<Route, { readonly _tag: 'Public' }>

export interface PathRoutes {
  /** Its variable parts in braces. */
  readonly path: string
  readonly byMethod: ReadonlyMap<string, Route>
  /** The value of `Allow`. */
  readonly allow: string
  /** The header fields that announce the removal of this method; of one that the path lacks, if all are deprecated. */
  readonly deprecationOf: (method: string) => ((baseUrl: string) => HeaderFields) | undefined
  readonly isProbe: boolean
}

/** The routes of a request's path. */
export interface Match {
  readonly target: PathRoutes
  /** The values of the variable parts, by their names. */
  readonly params: Readonly<Record<string, string>>
}

/** One entry per path, in the order of the table. */
const byPath = (table: readonly Route[]): readonly PathRoutes[] =>
  [...new Set(table.map(({ path }) => path))].map((path) => {
    const routes = table.filter((route) => route.path === path)
    const byMethod = new Map(
      routes.flatMap((route) => servedBy(route.method).map((method) => [method, route] as const)),
    )
    const deprecated = new Map(
      [...byMethod].flatMap(([method, route]) =>
        route._tag === 'Public' || route.deprecation === undefined
          ? []
          : [[method, deprecationFields(route.deprecation)] as const],
      ),
    )
    const [ofAll] = deprecated.size === byMethod.size ? deprecated.values() : []
    return {
      path,
      byMethod,
      allow: allowOf(routes.map(({ method }) => method)),
      deprecationOf: (method) => (byMethod.has(method) ? deprecated.get(method) : ofAll),
      isProbe: routes.some((route) => route._tag === 'Public' && route.isProbe),
    }
  })

/** The path in the notation of path-to-regexp: `/pets/:petId`. */
export const patternOf = ({ path }: PathRoutes): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

export type FindRoutes = (path: string) => Match | undefined

/** Finds paths without variable parts in a map, because a router tries every pattern on every path. */
export const exactFirst = (
  table: readonly Route[],
  makeRouter: (variable: readonly PathRoutes[]) => FindRoutes,
): FindRoutes => {
  const paths = byPath(table)
  const isExact = (target: PathRoutes): boolean => patternOf(target) === target.path
  const exact = new Map(paths.filter(isExact).map((target): [string, Match] => [target.path, { target, params: {} }]))
  const find = makeRouter(paths.filter((target) => !isExact(target)))
  return (path) => exact.get(path) ?? find(path)
}
