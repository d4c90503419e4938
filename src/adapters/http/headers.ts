// Headers that every answer carries, Node's own included (where the contract is silent: Answers).
import type { Reply } from './reply.js'

const CONSTANT = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** All headers of an answer; the reply's own go first where both name one. */
export const headersOf = (reply: Reply, requestId: string): Readonly<Record<string, string>> => ({
  ...CONSTANT,
  ...reply.headers,
  'X-Request-Id': requestId,
  ...(reply.body !== undefined && { 'Content-Length': String(Buffer.byteLength(reply.body)) }),
})
