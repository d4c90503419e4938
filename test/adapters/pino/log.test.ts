import { PassThrough } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { makeJsonLog } from '../../../src/adapters/pino/json-log.js'
import { makeTerminalLog } from '../../../src/adapters/pino/terminal-log.js'
import type { RequestReport } from '../../../src/ports/observer.js'

const NOT_FOUND: RequestReport = {
  requestId: 'r1',
  method: 'GET',
  path: '/v1/pet',
  route: 'unmatched',
  isProbe: false,
  isDeprecated: false,
  status: 404,
  code: 'route_not_found',
  detail: undefined,
  bytes: 66,
  milliseconds: 1.234,
  keyId: undefined,
  invalidKeyReason: undefined,
  invalidKeyId: undefined,
  clientAddress: undefined,
  traceId: undefined,
}
const { code: _, ...LIVE } = { ...NOT_FOUND, path: '/health/live', route: '/health/live', isProbe: true, status: 200 }

const written = async (logLevel: 'info' | 'debug', reports: readonly RequestReport[]): Promise<readonly string[]> => {
  const stream = new PassThrough({ encoding: 'utf8' })
  const log = await makeTerminalLog(logLevel, { hasColors: false, stream })
  reports.forEach(log.request)
  log.info({ url: 'http://127.0.0.1:8080/v1' }, 'listening')
  return String(stream.read()).trim().split('\n')
}

it.each([
  ['warn', 0],
  ['info', 1],
] as const)('makeJsonLog writes requests only from the level info on: %s', async (level, count) => {
  const lines: string[] = []
  const log = await makeJsonLog({ level, base: {} }, { write: (line) => lines.push(line) })
  log.request(NOT_FOUND)
  expect(lines).toHaveLength(count)
})

it('shows nothing that is attached to an error, not even to one of another realm', async () => {
  const lines: string[] = []
  const log = await makeJsonLog({ level: 'info', base: {} }, { write: (line) => lines.push(line) })
  const foreign: unknown = runInNewContext(`Object.assign(new TypeError('refused'), { password: 'secret' })`)
  log.error({ err: foreign }, 'failed')
  expect(JSON.parse(lines.join(''))).toMatchObject({ err: { type: 'TypeError', message: 'refused' } })
  expect(lines.join('')).not.toContain('secret')
})

describe('makeTerminalLog', () => {
  it('writes one line per request, with the path if it was not found', async () => {
    expect(await written('info', [NOT_FOUND, { ...NOT_FOUND, path: '/v1/\u001b[31m' }])).toEqual([
      expect.stringMatching(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: GET \/v1\/pet 404 route_not_found 66 B 1\.2 ms r1$/),
      expect.stringMatching(/GET \/v1\/\?\[31m 404/),
      expect.stringMatching(/INFO: listening \{"url":"http:\/\/127\.0\.0\.1:8080\/v1"\}$/),
    ])
  })

  it('says why a key was refused', async () => {
    const refused = {
      ...NOT_FOUND,
      status: 401,
      code: 'invalid_api_key',
      invalidKeyReason: 'expired',
      invalidKeyId: 'k1',
    } as const
    expect(
      await written('info', [refused, { ...refused, invalidKeyReason: 'malformed', invalidKeyId: undefined }]),
    ).toEqual([
      expect.stringContaining(' 401 invalid_api_key (expired k1) 66 B'),
      expect.stringContaining(' 401 invalid_api_key (malformed) 66 B'),
      expect.stringContaining('listening'),
    ])
  })

  it('logs health probes only at the level debug', async () => {
    const reports = [{ ...LIVE, code: undefined }]
    expect(await written('info', reports)).toHaveLength(1)
    expect(await written('debug', reports)).toEqual([
      expect.stringMatching(/DEBUG: GET \/health\/live 200 66 B 1\.2 ms r1$/),
      expect.stringContaining('listening'),
    ])
  })
})
