// What was thrown, judged by its members: an error of another realm, such as those of Node under Jest, is no instance of our Error.

/** A member of what was thrown; undefined if there is none. */
export const memberOf = (thrown: unknown, name: string): unknown =>
  typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined

export const isError = (thrown: unknown): thrown is Error =>
  typeof memberOf(thrown, 'name') === 'string' && typeof memberOf(thrown, 'message') === 'string'

/** The error itself, or one whose message is what was thrown. */
export const asError = (thrown: unknown): Error => (isError(thrown) ? thrown : new Error(String(thrown)))
