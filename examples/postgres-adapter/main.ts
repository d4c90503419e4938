// `npm start` runs the whole service on the database that PGHOST, PGUSER, PGDATABASE … name.
import { createApiKey, SCOPES } from 'animal-store'
import { DEFAULT_SERVICE, loadJsonLog, startService } from 'animal-store/http'
import { nodeCrypto, systemClock } from 'animal-store/node'
import { none } from 'fp-ts/lib/Option.js'
import { openPostgresStore } from './store.js'

const right = <A>(either: { _tag: 'Left'; left: unknown } | { _tag: 'Right'; right: A }): A => {
  if (either._tag === 'Left') throw new Error('cannot start', { cause: either.left })
  return either.right
}

const log = await loadJsonLog('info', process.stdout)
const report = (damage: object) => log.error(damage, 'damaged record')
const store = right(await openPostgresStore({}, report)())
const create = createApiKey({ apiKeys: store.apiKeys, clock: systemClock, crypto: nodeCrypto })
if (right(await store.apiKeys.list()).length === 0)
  console.error(right(await create({ name: none, scopes: SCOPES, lifetimeMs: none })()).text)
const service = right(
  await startService({ ...DEFAULT_SERVICE, port: Number(process.env['PORT'] ?? 8080) }, { store, log })(),
)
process.once('SIGTERM', () => void service.stop())
process.once('SIGINT', () => void service.stop())
