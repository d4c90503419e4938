import { expect, it } from 'vitest'
import { piecesOf, startHttp } from '../../../support/http/http-service.js'
import { openSocket, readAll } from '../../../support/http/raw.js'
import { authorization, get, post } from '../../../support/http/raw-requests.js'

const CLOSE = 'Connection: close\r\n'
const asId = (key: string): string => `${CLOSE}X-Request-Id: ${key}\r\n`

it.each<[string, (key: string) => string]>([
  ['as X-Request-Id', (key) => get('/v1/pets', asId(key) + authorization(key))],
  ['as X-Request-Id, only its secret,', (key) => get('/v1/pets', asId(key.slice(key.lastIndexOf('_') + 1)))],
  ['within X-Request-Id', (key) => get('/v1/pets', `${CLOSE}X-Request-Id: id:${key}/1\r\n`)],
  ['as X-Request-Id of an unknown path', (key) => get('/nope', asId(key))],
  ['as X-Request-Id of broken HTTP', (key) => get('/v1/pets', `Host: b\r\n${asId(key)}`)],
  ['as X-Request-Id of CONNECT', (key) => `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n${asId(key)}\r\n`],
  ['as traceparent', (key) => get('/v1/pets', `${CLOSE}traceparent: 00-${key}\r\n`)],
  ['as Basic credentials', (key) => get('/v1/pets', `${CLOSE}Authorization: Basic ${key}\r\n`)],
  ['in the path', (key) => get(`/v1/pets/${key}`, CLOSE + authorization(key))],
  ['in an unknown path', (key) => get(`/${key}`, CLOSE)],
  ['in the query', (key) => get(`/v1/pets?access_token=${key}`, CLOSE)],
  ['as a limit', (key) => get(`/v1/pets?limit=${key}`, CLOSE + authorization(key))],
  ['as a repeated status', (key) => get(`/v1/pets?status=x&status=${key}`, CLOSE + authorization(key))],
  ['as two names in a body', (key) => post(key, `{"${key}":1,"${key}":2}`, CLOSE)],
  ['in the Host', (key) => `GET / HTTP/1.1\r\nHost: ${key}:x\r\n\r\n`],
])('neither the log nor the response contains any of a whole key %s [secrets]', async (_, textOf) => {
  const { port, key, logTexts, requestLines } = await startHttp()
  const socket = await openSocket(port)
  socket.write(textOf(key), 'latin1')
  const text = await readAll(socket)
  expect(text).toMatch(/^HTTP\/1\.1 [2-5]\d\d /)
  await expect.poll(requestLines).toHaveLength(1)
  const told = text + logTexts.join('')
  expect(piecesOf(key).filter((piece) => told.includes(piece))).toEqual([])
})
