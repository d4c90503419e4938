// Headers that every answer carries, Node's own included (where the contract is silent: Answers).
import type { HeaderFields, Reply } from './reply.js'

const CONSTANT: HeaderFields = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]

export const fieldOf = (fields: HeaderFields, name: string): string | undefined =>
  fields.find((field) => field[0] === name)?.[1]

/** Names and values of all headers of an answer, in turn; the reply's own go first where both name one. */
export const headersOf = ({ headers, body }: Reply, requestId: string): string[] => {
  const lines: string[] = []
  for (const [name, value] of CONSTANT) if (fieldOf(headers, name) === undefined) lines.push(name, value)
  for (const [name, value] of headers) lines.push(name, value)
  lines.push('X-Request-Id', requestId)
  if (body !== undefined) lines.push('Content-Length', String(Buffer.byteLength(body)))
  return lines
}
