// The methods that routes may have, and those that are served with them: HEAD works as GET, OPTIONS needs no key.

/** The methods of the table of routes. */
const METHODS = ['GET', 'POST'] as const

export type Method = (typeof METHODS)[number]

/** The methods that a route of this method serves. */
export const servedBy = (method: Method): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** The value of `Allow` for routes of these methods. */
export const allowOf = (methods: readonly Method[]): string => [...methods.flatMap(servedBy), 'OPTIONS'].join(', ')

/** The methods that any route supports. */
export const EVERY_METHOD = allowOf(METHODS)

// RFC 9110 §9 and RFC 5789; empty if the request could not be parsed
const STANDARD = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE', ''])

/**
 * The method in logs and metrics. A client can invent any number of methods, each of which would become a series, so all others are
 * `_OTHER`, as in OpenTelemetry.
 */
export const reportedMethod = (method: string): string => (STANDARD.has(method) ? method : '_OTHER')
