// The form of errors in the log.
import { stdSerializers } from 'pino'

/** Omits everything else that drivers attach to their errors, such as documents, commands and connection settings. */
const errorView = (cause: unknown): unknown => {
  if (!(cause instanceof Error)) return cause
  const { type, message, stack } = stdSerializers.err(cause)
  return { type, message, stack }
}

/** pino serializers for members with these names. */
export const serializers = { err: errorView }
