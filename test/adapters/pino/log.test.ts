import { METHODS } from 'node:http'
import { PassThrough } from 'node:stream'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeJsonLog, makeRequestLine } from '../../../src/adapters/pino/json-log.js'
import { makeTerminalLog } from '../../../src/adapters/pino/terminal-log.js'
import type { KeyFault } from '../../../src/domain/errors.js'
import type { RequestReport } from '../../../src/ports/observer.js'
import { listReport, liveReport } from '../../support/documents/request-report.js'

const BASE = { service: 'animal-store', version: '1.2.3' }
const SETTINGS = { base: BASE, isDebug: false }

const anyReport = fc.record({
  requestId: fc.stringMatching(/^[\w.:+/=@~-]{1,128}$/),
  method: fc.constantFrom(...METHODS),
  path: fc.string(),
  route: fc.constantFrom('/v1/pets', '/v1/pets/{petId}', 'unmatched'),
  isProbe: fc.constant(false),
  isDeprecated: fc.boolean(),
  status: fc.integer({ min: 200, max: 599 }),
  code: fc.option(fc.constantFrom('pet_not_found', 'unavailable'), { nil: undefined }),
  bytes: fc.nat(),
  detail: fc.constantFrom('shed', 'replayed', undefined),
  milliseconds: fc.option(fc.double({ min: 0, max: 100_000, noNaN: true }), { nil: undefined }),
  events: fc.option(fc.nat(), { nil: undefined }),
  keyId: fc.option(fc.stringMatching(/^[0-9A-Za-z]{11}$/), { nil: undefined }),
  invalidKeyReason: fc.constantFrom<KeyFault | undefined>(undefined, 'expired', 'wrong_secret'),
  invalidKeyId: fc.constant(undefined),
  clientAddress: fc.option(fc.string(), { nil: undefined }),
  traceId: fc.option(fc.stringMatching(/^[\da-f]{32}$/), { nil: undefined }),
})

describe('makeRequestLine', () => {
  it('writes one line that a JSON parser reads back exactly', () => {
    const requestLine = makeRequestLine(SETTINGS)
    fc.assert(
      fc.property(anyReport, fc.date({ noInvalidDate: true }), ({ milliseconds, events, ...sent }, date) => {
        const line = requestLine({ milliseconds, events, ...sent }, date.getTime())
        const { path: _, isProbe, isDeprecated, detail, invalidKeyReason: reason, invalidKeyId, ...shown } = sent
        const rounded = (time: number): number => Math.round(time * 100) / 100
        const ofStream = { events, seconds: rounded((milliseconds ?? 0) / 1_000) }
        const ofRest = { ms: rounded(milliseconds ?? 0) }
        const times = milliseconds === undefined ? {} : events === undefined ? ofRest : ofStream
        const wanted = { level: 'info', time: date.toISOString(), ...BASE, ...shown, reason, ...times, msg: 'request' }
        expect(line).toMatch(/^[^\n]*\n$/)
        // without undefined members
        expect(JSON.parse(line ?? '')).toStrictEqual(JSON.parse(JSON.stringify(wanted)))
      }),
    )
  })

  it('logs health probes only at the level debug', () => {
    for (const route of ['/health/live', '/health/ready']) {
      expect(makeRequestLine(SETTINGS)({ ...liveReport, route, status: 503 }, 0)).toBeUndefined()
      const line = makeRequestLine({ ...SETTINGS, isDebug: true })({ ...liveReport, route }, 0)
      expect(JSON.parse(line ?? '')).toMatchObject({ level: 'debug', route })
    }
  })

  it('logs the path as sent at the level debug, unless it may contain a key', () => {
    const requestLine = makeRequestLine({ ...SETTINGS, isDebug: true })
    const pathOf = (path: string): unknown =>
      (JSON.parse(requestLine({ ...listReport, path }, 0) ?? '') as { readonly path: unknown }).path
    expect(pathOf('/v1/pets/7')).toBe('/v1/pets/7')
    expect(pathOf('/v1/\u009b31m"')).toBe('/v1/?31m"')
    expect(pathOf(`/v1/${'a'.repeat(39)}/${'b/'.repeat(200)}`)).toHaveLength(200)
    for (const path of ['/v1/pets/ast_live_aaa', '/v1/AST_LIVE_aaa', `/v1/pets/${'aA'.repeat(20)}`]) {
      expect(pathOf(path)).toBe('(hidden)')
    }
  })
})

const NOT_FOUND: RequestReport = {
  ...listReport,
  ...{ path: '/v1/pet', route: 'unmatched', status: 404, code: 'route_not_found', milliseconds: 1.234 },
}

const written = async (reports: readonly RequestReport[]): Promise<readonly string[]> => {
  const stream = new PassThrough({ encoding: 'utf8' })
  const log = await makeTerminalLog('info', { hasColors: false, stream })
  reports.forEach(log.request)
  log.info({ url: 'http://127.0.0.1:8080/v1' }, 'listening')
  return String(stream.read()).trim().split('\n')
}

it('makeJsonLog writes requests only from the level info on', async () => {
  const lines: string[] = []
  for (const level of ['warn', 'info'] as const)
    (await makeJsonLog({ level, base: { level } }, { write: (line) => lines.push(line) })).request(NOT_FOUND)
  expect(lines).toHaveLength(1)
})

it('shows nothing that is attached to an error, not even to one of another realm', async () => {
  const lines: string[] = []
  const log = await makeJsonLog({ level: 'info', base: {} }, { write: (line) => lines.push(line) })
  const foreign: unknown = runInNewContext(`Object.assign(new TypeError('refused'), { password: 'secret' })`)
  log.error({ err: foreign }, 'failed')
  expect(JSON.parse(lines.join(''))).toMatchObject({ err: { type: 'TypeError', message: 'refused' } })
  log.error({ err: new AggregateError([new Error('no ::1'), new Error('no 127.0.0.1')]) }, 'failed')
  expect(lines.join('')).toContain('"message":"no ::1; no 127.0.0.1"')
  expect(lines.join('')).not.toContain('secret')
})

describe('makeTerminalLog', () => {
  it('writes one line per request but a probe, with the path if it was not found', async () => {
    expect(await written([NOT_FOUND, liveReport, { ...NOT_FOUND, path: '/v1/\u001b[31m' }])).toEqual([
      expect.stringMatching(
        /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request GET \/v1\/pet 404 route_not_found \{.*"requestId":"r1".*"bytes":66.*"ms":1\.23\}$/,
      ),
      expect.stringMatching(/GET \/v1\/\?\[31m 404/),
      expect.stringMatching(/INFO: listening \{"url":"http:\/\/127\.0\.0\.1:8080\/v1"\}$/),
    ])
  })

  it('shows texts of a broker or a record as text: no line and no control of theirs', async () => {
    const stream = new PassThrough({ encoding: 'utf8' })
    const log = await makeTerminalLog('info', { hasColors: false, stream })
    const hostile = 'a\n[00:00:00.000] INFO: forged\u001b[31m\u009b31m\u202e\u2028'
    log.warn(
      { reason: hostile, err: Object.assign(new Error(hostile), { stack: `Error\u001b[31m\n    at one` }) },
      hostile,
    )
    const text = String(stream.read())
    expect(text).toContain('forged')
    expect(text).not.toMatch(/^\[00:00:00/m)
    expect(text).toMatch(/^ +at one|\\n {4}at one/m)
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  })

  it('says why a key was refused', async () => {
    const refused = { ...NOT_FOUND, status: 401, code: 'invalid_api_key' }
    const expired = { ...refused, invalidKeyReason: 'expired', invalidKeyId: 'k1' } as const
    expect(await written([expired, { ...refused, invalidKeyReason: 'malformed' }])).toEqual([
      expect.stringMatching(/ 401 invalid_api_key .*"keyId":"k1","reason":"expired"/),
      expect.stringMatching(/ 401 invalid_api_key .*"reason":"malformed"/),
      expect.stringContaining('listening'),
    ])
  })
})
