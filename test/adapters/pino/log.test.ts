import { PassThrough } from 'node:stream'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { makeJsonLog } from '../../../src/adapters/pino/json-log.js'
import { makeTerminalLog } from '../../../src/adapters/pino/terminal-log.js'
import type { RequestReport } from '../../../src/ports/observer.js'
import { listReport, liveReport } from '../../support/documents/request-report.js'

const NOT_FOUND: RequestReport = {
  ...listReport,
  ...{ path: '/v1/pet', route: 'unmatched', status: 404, code: 'route_not_found', milliseconds: 1.234 },
}

const written = async (logLevel: 'info' | 'debug', reports: readonly RequestReport[]): Promise<readonly string[]> => {
  const stream = new PassThrough({ encoding: 'utf8' })
  const log = await makeTerminalLog(logLevel, { hasColors: false, stream })
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
    const refused = { ...NOT_FOUND, status: 401, code: 'invalid_api_key' }
    const expired = { ...refused, invalidKeyReason: 'expired', invalidKeyId: 'k1' } as const
    expect(await written('info', [expired, { ...refused, invalidKeyReason: 'malformed' }])).toEqual([
      expect.stringContaining(' 401 invalid_api_key (expired k1) 66 B'),
      expect.stringContaining(' 401 invalid_api_key (malformed) 66 B'),
      expect.stringContaining('listening'),
    ])
  })

  it('logs health probes only at the level debug', async () => {
    expect(await written('info', [liveReport])).toHaveLength(1)
    expect(await written('debug', [liveReport])).toEqual([
      expect.stringMatching(/DEBUG: GET \/health\/live 200 66 B 5\.0 ms r1$/),
      expect.stringContaining('listening'),
    ])
  })
})
