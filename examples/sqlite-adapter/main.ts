// The whole service over the store: `npm start` serves the pets of data/pets.db.
import { mkdirSync } from 'node:fs'
import { createApiKey, SCOPES } from 'animal-store'
import { DEFAULT_SERVICE, loadJsonLog, startService } from 'animal-store/http'
import { nodeCrypto, systemClock } from 'animal-store/node'
import { none } from 'fp-ts/lib/Option.js'
import { openSqliteStore } from './store.js'

const right = <A>(either: { _tag: 'Left'; left: unknown } | { _tag: 'Right'; right: A }): A => {
  if (either._tag === 'Left') throw new Error('cannot start', { cause: either.left })
  return either.right
}

const log = await loadJsonLog('info', process.stdout)
mkdirSync('data', { recursive: true })
const store = right(await openSqliteStore('data/pets.db')())
const create = createApiKey({ apiKeys: store.apiKeys, clock: systemClock, crypto: nodeCrypto })
if (right(await store.apiKeys.list()).length === 0)
  console.error(right(await create({ name: none, scopes: SCOPES, lifetimeMs: none })()).text)
const service = right(
  await startService({ ...DEFAULT_SERVICE, port: Number(process.env['PORT'] ?? 8080) }, { store, log })(),
)
process.once('SIGTERM', () => void service.stop())
process.once('SIGINT', () => void service.stop())
