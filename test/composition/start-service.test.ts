import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../src/adapters/node/system.js'
import { loadJsonLog } from '../../src/composition/json-log.js'
import { makeFetchHandler } from '../../src/composition/make-fetch-handler.js'
import { DEFAULT_SERVICE } from '../../src/composition/make-listener.js'
import { logNotify, silentLog, VERSION } from '../../src/composition/service-log.js'
import { startConfigured } from '../../src/composition/start-configured.js'
import { startService } from '../../src/composition/start-service.js'
import { DEFAULT_HANDLER } from '../../src/composition/use-cases.js'
import { idsOf, numbered, record, succeed } from '../../src/testing/samples.js'
import { damagePets } from '../adapters/sqlite/open-store.js'
import { issueApiKey } from '../support/domain/issue-api-key.js'
import { fetchOnce, runService } from '../support/http/running-service.js'
import { startListening } from '../support/network/start-listening.js'
import { configOf } from '../support/processes/config-of.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

const start = async (environment: Readonly<Record<string, string>>) => {
  const lines: string[] = []
  const log = await loadJsonLog('info', { write: (line: string) => void lines.push(line) })
  const service = await startConfigured(
    configOf({ STORE: 'memory', PORT: '0', DRAIN_SECONDS: '0', ...environment }),
    log,
    () => expect.fail('the store ends the process'),
  )
  onTestFinished(async () => {
    await service.stop()
  })
  return { ...service, logTexts: lines, lines: lines.map((line) => JSON.parse(line) as { msg: string; url?: string }) }
}

const isWarning = (line: unknown): boolean =>
  typeof line === 'object' && line !== null && 'level' in line && line.level === 'warn'

it('stops once, however often and whenever it is told to', async () => {
  const close = vi.fn<() => Promise<void>>()
  const store = { ...makeMemoryStore(), close }
  const { stop } = await succeed(startService({ ...DEFAULT_SERVICE, port: 0, drainMs: 0 }, { store, log: silentLog }))
  expect(await Promise.all([stop(), stop()])).toStrictEqual([true, true])
  expect([await stop(), close.mock.calls.length]).toStrictEqual([true, 1])
})

describe('startConfigured', () => {
  it('names the variable of an address that cannot be used', async () => {
    const used = String(await startListening(createServer()))
    await expect(start({ PORT: used })).rejects.toThrow(`PORT: cannot listen on 127.0.0.1:${used}: listen EADDRINUSE`)
    await expect(start({ METRICS_PORT: used })).rejects.toThrow(`METRICS_PORT: cannot listen on 127.0.0.1:${used}: `)
  })

  it('logs the address of the metrics, with the real port, after that of the service [open-paths]', async () => {
    const { url, lines } = await start({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' })
    expect(lines).toMatchObject([
      { msg: 'listening', url },
      { msg: 'metrics listening', url: expect.stringMatching(/^http:\/\/127\.0\.0\.2:[1-9]\d*\/metrics$/) },
    ])
    const response = await fetchOnce(lines[1]?.url ?? '')
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('# TYPE ')])
  })

  it('logs a damaged record with its id, and counts it in these metrics [damage]', async () => {
    const folder = await temporaryPath()
    const { store, logTexts, lines } = await start({ STORE: 'embedded', DATA_DIR: folder, METRICS_PORT: '0' })
    for (const id of [1, 2]) await succeed(store.pets.add(record(numbered(id))))
    damagePets(folder, 2)
    expect(await idsOf(store.pets, {})).toStrictEqual([1])
    const warnings = logTexts.map((text): unknown => JSON.parse(text)).filter((line) => isWarning(line))
    expect(warnings).toMatchObject([{ msg: 'damaged record', record: 'pet', id: '2', reason: expect.any(String) }])
    const text = await (await fetchOnce(lines[1]?.url ?? '')).text()
    expect(text).toMatch(/^\w*damaged\w*\{record="pet"\} 1$/m)
    // the store's own measurement
    expect(text).toMatch(/^animal_store_command_duration_seconds_count\{command="commit"\} [1-9]/m)
  })
})

it.each(['the fetch handler', 'startService'])(
  '%s prints the cause of a 500 with its request id on stderr',
  async (by) => {
    const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => spy.mockRestore())
    const memory = makeMemoryStore()
    const boom = new Error('my store is broken')
    const findPage = (): never => {
      throw boom
    }
    const store = { ...memory, pets: { ...memory.pets, findPage } }
    const headers = { Authorization: `Bearer ${(await issueApiKey(store)).text}` }
    const handle = makeFetchHandler({ ...store, clock: systemClock, crypto: nodeCrypto }, DEFAULT_HANDLER)
    const response =
      by === 'startService'
        ? await (await runService({}, { store })).call('GET', '/pets')
        : await handle(new Request('http://pets.test/v1/pets', { headers }))
    expect(response.status).toBe(500)
    const requestId = response.headers.get('X-Request-Id')
    expect(spy.mock.calls).toStrictEqual([['failure', { requestId, err: boom }]])
  },
)

it('the log names the version of package.json', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8'))).toMatchObject({ version: VERSION })
})

it('a notice is logged at its level, and a fatal one as an error', () => {
  const written: string[] = []
  const to = (level: string) => (_: object, message: string) => void written.push(`${message}: ${level}`)
  const notify = logNotify({ ...silentLog, info: to('info'), warn: to('warn'), error: to('error') })
  for (const level of ['info', 'warn', 'error', 'fatal'] as const) notify({ level, message: level, details: {} })
  expect(written).toStrictEqual(['info: info', 'warn: warn', 'error: error', 'fatal: error'])
})
