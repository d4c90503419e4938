// Peers are compared only while they answer alike.
import { describe, expect, it } from 'vitest'
import type { HttpAnswer } from '../../bench/method/request.js'
import { expectSameAnswer } from '../../bench/method/same-answer.js'

const ANSWER: HttpAnswer = {
  status: 200,
  headers: { 'content-type': 'application/json', etag: `"${'a'.repeat(40)}"`, 'x-request-id': 'one-request' },
  rawHeaders: [],
  body: '[]',
}
const withHeader = (name: string, value: string): HttpAnswer => ({
  ...ANSWER,
  headers: { ...ANSWER.headers, [name]: value },
})

const same = (other: HttpAnswer) => () => expectSameAnswer('the peer', ANSWER, other)

describe('the comparison of answers', () => {
  it.each([
    ['the same answer', ANSWER],
    ['another tag of the same form', withHeader('etag', `"${'b'.repeat(40)}"`)],
    ['another request id', withHeader('x-request-id', 'another-request')],
    ['another date', withHeader('date', 'Sat, 21 Nov 2026 22:00:00 GMT')],
  ])('accepts %s', (_, other) => {
    expect(same(other)).not.toThrow()
  })

  it.each([
    ['another status', { ...ANSWER, status: 201 }],
    ['another body', { ...ANSWER, body: '[ ]' }],
    ['a tag of another form', withHeader('etag', '"short"')],
    ['another media type', withHeader('content-type', 'application/json; charset=utf-8')],
    ['one more header', withHeader('x-powered-by', 'a framework')],
  ])('rejects %s', (_, other) => {
    expect(same(other)).toThrow('the peer answers differently')
  })
})
