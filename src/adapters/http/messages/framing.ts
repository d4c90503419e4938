// What the headers of a request say about its body, and about what follows it.
import type { IncomingMessage } from 'node:http'
import { badRequest, type HttpFailure } from '../failures.js'
import { membersOf } from './field-values.js'

/**
 * What follows these headers need not be HTTP, or the body that they announce (RFC 9110 §7.8, §10.1.1); and nobody reads a body that has
 * no meaning (§9.3.1).
 */
export const isLast = ({ method, headers }: IncomingMessage): boolean =>
  headers.upgrade !== undefined ||
  headers.expect !== undefined ||
  (method !== 'POST' && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'))

/** RFC 9110 §10.1.1: there is one expectation, however often it is sent, and in HTTP/1.0 any is ignored. */
export const isExpectationMet = ({ httpVersion, headers: { expect } }: IncomingMessage): boolean =>
  expect === undefined ||
  httpVersion === '1.0' ||
  membersOf([expect]).every((member) => member.toLowerCase() === '100-continue')

/** Framing that Node's parser accepts although it is ambiguous. */
export const framingFailure = ({ httpVersion, headers }: IncomingMessage): HttpFailure | undefined => {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return badRequest('only HTTP/1.1 and HTTP/1.0 are supported')
  const coding = headers['transfer-encoding']
  // RFC 9112 §6.1: HTTP/1.0 has none, and this is the only coding that is decoded
  if (coding !== undefined && (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked'))
    return badRequest('the only Transfer-Encoding supported is chunked, in HTTP/1.1')
  return undefined
}
