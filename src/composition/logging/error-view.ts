// Errors as the log shows them.
import { stdSerializers } from 'pino'

/** Whatever else drivers attach to their errors may hold documents, commands and connection settings. */
const errorView = (cause: unknown): unknown => {
  if (!(cause instanceof Error)) return cause
  const { type, message, stack } = stdSerializers.err(cause)
  return { type, message, stack }
}

/** For pino: members of these names. */
export const serializers = { err: errorView }
