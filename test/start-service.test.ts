// The composition root with a store in memory, in this process.
import { truncate } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonLog } from '../src/composition/log.js'
import { startConfigured } from '../src/start-service.js'
import { idsOf, numbered, record, succeed } from '../src/testing/samples.js'
import { openStoreIn, writeTables } from './adapters/lmdb/open-store.js'
import { saveRelay } from './support/domain/log-reads.js'
import { freePort } from './support/network/free-port.js'
import { startListening } from './support/network/start-listening.js'
import { configOf } from './support/processes/config-of.js'
import { eventually } from './support/runner/eventually.js'
import { temporaryPath } from './support/runner/temporary-folder.js'

const start = async (environment: Readonly<Record<string, string>>) => {
  const lines: string[] = []
  const log = jsonLog('info', { write: (line: string) => void lines.push(line) })
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

const MIB = 1_048_576

const isWarning = (line: unknown): boolean =>
  typeof line === 'object' && line !== null && 'level' in line && line.level === 'warn'

describe('startConfigured', () => {
  it('logs the address of the metrics, with the real port, after that of the service [open-paths]', async () => {
    const { url, lines } = await start({ METRICS_PORT: '0', METRICS_HOST: '127.0.0.2' })
    expect(lines).toMatchObject([
      { msg: 'listening', url },
      { msg: 'metrics listening', url: expect.stringMatching(/^http:\/\/127\.0\.0\.2:[1-9]\d*\/metrics$/) },
    ])
    const answer = await fetch(lines[1]?.url ?? '')
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('# TYPE ')])
  })

  it('counts the requests that it answers in these metrics', async () => {
    const { url, lines } = await start({ METRICS_PORT: '0' })
    for (const path of ['/pets', '/pets']) expect((await fetch(url + path)).status).toBe(401)
    const text = await (await fetch(lines[1]?.url ?? '')).text()
    expect(text).toMatch(/^\w*requests_total\{[^}]*route="\/v1\/pets"[^}]*\} 2$/m)
  })

  it('refuses a data file that was cut off, before LMDB reads it', async () => {
    const folder = await temporaryPath()
    await writeTables(folder, ({ meta }) => meta.putSync('filling', Buffer.alloc(2 * MIB)))
    await truncate(join(folder, 'data.mdb'), MIB)
    await expect(start({ STORE: 'embedded', DATA_DIR: folder })).rejects.toThrow('the data file is truncated')
  })

  it('logs a damaged record with its id, and counts it in these metrics [damage]', async () => {
    const folder = await temporaryPath()
    const { store, logTexts, lines } = await start({ STORE: 'embedded', DATA_DIR: folder, METRICS_PORT: '0' })
    for (const id of [1, 2]) await succeed(store.pets.add(record(numbered(id))))
    await writeTables(folder, ({ pets }) => pets.putSync(2, Buffer.from('{')))
    expect(await idsOf(store.pets, {})).toStrictEqual([1])
    const warnings = logTexts.map((text): unknown => JSON.parse(text)).filter((line) => isWarning(line))
    expect(warnings).toMatchObject([{ msg: 'damaged record', record: 'pet', id: '2', reason: expect.any(String) }])
    const text = await (await fetch(lines[1]?.url ?? '')).text()
    expect(text).toMatch(/^\w*damaged\w*\{record="pet"\} 1$/m)
  })

  it('has no metrics without METRICS_PORT', async () => {
    expect((await start({ METRICS_HOST: '127.0.0.2' })).lines).toMatchObject([{ msg: 'listening' }])
  })

  it('warns once, naming EVENTS_URL, when its events wait for another process', async () => {
    const folder = await temporaryPath()
    const relayed = await openStoreIn(folder)
    await saveRelay(relayed, 0)
    for (const id of [1, 2]) await succeed(relayed.pets.add(record(numbered(id))))
    await relayed.close()
    const { logTexts } = await start({ STORE: 'embedded', DATA_DIR: folder })
    await eventually(() => expect(logTexts.some((text) => text.includes('EVENTS_URL'))).toBe(true))
    const warnings = logTexts.map((text): unknown => JSON.parse(text)).filter((line) => isWarning(line))
    expect(warnings).toMatchObject([{ waiting: 2, msg: expect.stringContaining('EVENTS_URL is not set') }])
  })

  it('closes everything if it cannot listen', async () => {
    const port = await startListening(createServer())
    await expect(start({ METRICS_PORT: String(port) })).rejects.toThrow(
      `METRICS_PORT: cannot listen on 127.0.0.1:${port}`,
    )
    const free = await freePort()
    await expect(start({ PORT: String(port), METRICS_PORT: String(free) })).rejects.toThrow(
      `PORT: cannot listen on 127.0.0.1:${port}`,
    )
    await expect(fetch(`http://127.0.0.1:${free}/metrics`)).rejects.toThrow('fetch failed')
  })
})
