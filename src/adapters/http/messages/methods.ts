// The methods that routes may have, and those that are answered with them: HEAD works as GET, OPTIONS needs no key.

/** The methods of the table of routes. */
const METHODS = ['GET', 'POST'] as const

export type Method = (typeof METHODS)[number]

/** The methods that a route of this method answers. */
export const servedBy = (method: Method): readonly string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** The value of `Allow` for routes of these methods. */
export const allowOf = (methods: readonly Method[]): string => [...methods.flatMap(servedBy), 'OPTIONS'].join(', ')

/** The methods that any route supports. */
export const EVERY_METHOD = allowOf(METHODS)
