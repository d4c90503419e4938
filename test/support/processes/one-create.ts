// Creates a pet over HTTP with the embedded store, a cached API key and the JSON log, and prints on stderr
// the files in which a function ran.
import { mkdtemp, rm } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { makeLog, startConfigured } from '../../../src/composition/start-configured.js'
import { whenAvailable } from '../../../src/composition/when-available.js'
import { SCOPES } from '../../../src/domain/api-keys/api-key.js'
import { issueFirstApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { configOf } from './config-of.js'

const folder = await mkdtemp(join(tmpdir(), 'one-create-'))
const config = configOf({ DATA_DIR: folder, PORT: '0', DRAIN_SECONDS: '0' })
const log = await makeLog(config)
const service = await startConfigured(config, log, () => process.exit(1))
const create = issueFirstApiKey({ apiKeys: service.store.apiKeys, clock: systemClock, crypto: nodeCrypto })
// On a busy machine, the first attempt may time out
const created = await whenAvailable(
  create({ name: O.none, scopes: SCOPES, lifetimeMs: O.none }),
  new AbortController().signal,
)
if (created === undefined || O.isNone(created)) throw new Error('no key')

const post = async (): Promise<void> => {
  const headers = {
    // every request opens a new connection
    Connection: 'close',
    Authorization: `Bearer ${created.value.text}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  }
  const response = await fetch(`${service.url}/pets`, {
    method: 'POST',
    headers,
    body: '{"name":"Rex","categoryId":7}',
  })
  if (response.status !== 201) throw new Error(`got ${response.status}`)
  await response.text()
}

// Triggers lazy loading, and caches the key
await post()
const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The files that ran since the last call. */
const ran = async (): Promise<readonly string[]> => {
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ functions }) => functions.some(({ ranges: [range] }) => range !== undefined && range.count > 0))
    .map(({ url }) => (url.startsWith('file:') ? relative(root, fileURLToPath(url)) : ''))
    .filter((path) => path.startsWith('src/'))
}
await ran()
let files: readonly string[] | undefined
// Some timers fire during some creates only
for (let creates = 0; creates < 5; creates += 1) {
  await post()
  await new Promise((resolve) => log.flush(() => resolve(undefined)))
  const latest = await ran()
  files = (files ?? latest).filter((path) => latest.includes(path))
}
console.error([...(files ?? [])].sort().join('\n'))
await service.stop()
await rm(folder, { recursive: true })
