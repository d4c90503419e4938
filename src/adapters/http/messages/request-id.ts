// The id that connects a response, its log line and its trace.
import { randomUUID } from 'node:crypto'
import { mayHoldSecret } from '../../../domain/api-keys/api-key-text.js'

const SAFE_ID = /^[\w.:+/=@~-]{1,128}$/

/**
 * The client's request id if it is safe in a header and in a log, otherwise a new one. An API key, or its secret, that is sent here by
 * mistake must reach neither of them.
 */
export const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && SAFE_ID.test(sent) && !mayHoldSecret(sent) ? sent : randomUUID()
