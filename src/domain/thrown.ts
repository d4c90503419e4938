// Inspects thrown values by members: errors of another realm (Node's under Jest) are not instances of our Error.

/** A member of a thrown value, if any. */
export const memberOf = (thrown: unknown, name: string): unknown =>
  typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined

export const isError = (thrown: unknown): thrown is Error =>
  typeof memberOf(thrown, 'name') === 'string' && typeof memberOf(thrown, 'message') === 'string'

/** The error itself, or a new one with the thrown value as its message. */
export const asError = (thrown: unknown): Error => (isError(thrown) ? thrown : new Error(String(thrown)))
