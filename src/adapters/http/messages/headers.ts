// Header fields of requests and responses.
import type { IncomingMessage } from 'node:http'
import type { HeaderFields, Reply } from './reply.js'

/** The headers of every response, including those that Node would send by itself (openapi.yaml: Responses). */
const CONSTANT: HeaderFields = [
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'no-referrer'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cache-Control', 'no-store'],
]

export const fieldOf = (fields: HeaderFields, name: string): string | undefined => {
  for (const [one, value] of fields) if (one === name) return value
  return undefined
}

/** Both, with their links on one line (RFC 9110 §5.3): some clients read only the first line of a field. */
export const withFields = (fields: HeaderFields, more: HeaderFields): HeaderFields => {
  const both = [...fields, ...more]
  const links = both.filter(([name]) => name === 'Link').map(([, value]) => value)
  if (links.length < 2) return both
  const others = both.filter(([name]) => name !== 'Link')
  return [...others, ['Link', links.join(', ')]]
}

/** Alternating names and values of all response headers. The reply's headers override the constant ones. */
export const headersOf = ({ headers, body }: Reply, requestId: string, bodyBytes: number): string[] => {
  const lines: string[] = []
  for (const [name, value] of CONSTANT) if (fieldOf(headers, name) === undefined) lines.push(name, value)
  for (const [name, value] of headers) lines.push(name, value)
  lines.push('X-Request-Id', requestId)
  if (body !== undefined) lines.push('Content-Length', String(bodyBytes))
  return lines
}

/** The value of each line of a request header, in the order sent. Node itself joins or drops repeated lines. */
export const headerValues = ({ rawHeaders }: IncomingMessage, name: string): readonly string[] => {
  const values: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at] ?? ''
    if (field.length === name.length && field.toLowerCase() === name) values.push(rawHeaders[at + 1] ?? '')
  }
  return values
}
