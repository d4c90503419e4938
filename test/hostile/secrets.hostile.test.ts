// API keys in the wrong places: no part of a secret reaches the log or the header of a response.
import { expect } from 'vitest'
import { readAll } from '../support/http/raw.js'
import { authorization, get, post } from '../support/http/raw-requests.js'
import { type Attack, describeAttacks } from './attack.js'

/** No part of a secret may be logged; this many consecutive characters are no coincidence. */
const TELLING_LENGTH = 8

const piecesOf = (key: string): readonly string[] => {
  const secret = key.slice(key.lastIndexOf('_') + 1)
  return Array.from({ length: secret.length - TELLING_LENGTH + 1 }, (_, at) => secret.slice(at, at + TELLING_LENGTH))
}

const leak = (name: string, textOf: (key: string) => string): Attack => ({
  attack: `a whole key ${name}`,
  holds: 'neither the log nor the response contains any of it',
  run: async ({ key, open, service }) => {
    const socket = await open()
    const before = service.stdout().length
    const response = readAll(socket)
    socket.write(textOf(key), 'latin1')
    const text = await response
    expect(text).toMatch(/^HTTP\/1\.1 [2-5]\d\d /)
    await expect.poll(() => service.stdout().slice(before)).toContain('"msg":"request"')
    const log = service.stdout().slice(before)
    expect(piecesOf(key).filter((piece) => log.includes(piece) || text.includes(piece))).toEqual([])
  },
})

const CLOSE = 'Connection: close\r\n'
const asId = (key: string): string => `${CLOSE}X-Request-Id: ${key}\r\n`

describeAttacks('secrets', {}, [
  leak('as X-Request-Id', (key) => get('/v1/pets', asId(key) + authorization(key))),
  leak('as X-Request-Id, only its secret,', (key) => get('/v1/pets', asId(key.slice(key.lastIndexOf('_') + 1)))),
  leak('within X-Request-Id', (key) => get('/v1/pets', `${CLOSE}X-Request-Id: id:${key}/1\r\n`)),
  leak('as X-Request-Id of an unknown path', (key) => get('/nope', asId(key))),
  leak('as X-Request-Id of broken HTTP', (key) => get('/v1/pets', `Host: b\r\n${asId(key)}`)),
  leak('as X-Request-Id of CONNECT', (key) => `CONNECT a:80 HTTP/1.1\r\nHost: a\r\n${asId(key)}\r\n`),
  leak('as traceparent', (key) => get('/v1/pets', `${CLOSE}traceparent: 00-${key}\r\n`)),
  leak('as Basic credentials', (key) => get('/v1/pets', `${CLOSE}Authorization: Basic ${key}\r\n`)),
  leak('in the path', (key) => get(`/v1/pets/${key}`, CLOSE + authorization(key))),
  leak('in an unknown path', (key) => get(`/${key}`, CLOSE)),
  leak('in the query', (key) => get(`/v1/pets?access_token=${key}`, CLOSE)),
  leak('as a limit', (key) => get(`/v1/pets?limit=${key}`, CLOSE + authorization(key))),
  leak('as a repeated status', (key) => get(`/v1/pets?status=x&status=${key}`, CLOSE + authorization(key))),
  leak('as two names in a body', (key) => post(key, `{"${key}":1,"${key}":2}`, CLOSE)),
  leak('in the Host', (key) => `GET / HTTP/1.1\r\nHost: ${key}:x\r\n\r\n`),
])
