// Holds the store to the contracts of every animal-store store, on a real server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { addPet } from 'animal-store'
import { nodeCrypto, systemClock } from 'animal-store/node'
import {
  apiKeyStoreContract,
  archiveContract,
  damageContract,
  eventLogContract,
  idGeneratorContract,
  pausedAddContract,
  petRepositoryContract,
  relayStateContract,
  sharedStoreContract,
  storeContract,
  succeed,
} from 'animal-store/testing'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { beforeAll, expect, it, vi } from 'vitest'
import { openDatabase } from './database.js'
import { connect, startServer } from './postgres-server.js'
import { openPostgresStore } from './store.js'

let server: Awaited<ReturnType<typeof startServer>>
beforeAll(async () => {
  server = await startServer()
  return server.stop
})

/** One storage for any number of stores. */
const place = async () => {
  const config = await server.makePlace()
  return { config, open: () => succeed(openPostgresStore(config)), close: async () => {} }
}

const open = async () => (await place()).open()

const openTwo = async () => {
  const { config, open } = await place()
  const [one, other] = await Promise.all([open(), open()])
  const close = async () => void (await Promise.all([one.close(), other.close()]))
  return { stores: [one, other] as const, relays: [one.relay, other.relay] as const, config, close }
}

storeContract('PostgreSQL', open)
petRepositoryContract('PostgreSQL', open)
apiKeyStoreContract('PostgreSQL', open)
archiveContract('PostgreSQL', open)
sharedStoreContract('PostgreSQL', place)
eventLogContract('PostgreSQL', openTwo, { runs: 10 })
relayStateContract('PostgreSQL', openTwo)
pausedAddContract('PostgreSQL', async () => {
  const { config, stores, close } = await openTwo()
  const client = await connect(config)
  const pauseInAdd = async (id: bigint, start: () => void) => {
    await client.query(`SELECT pg_advisory_lock(1);
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(1); RETURN new; END';
      CREATE TRIGGER wait AFTER INSERT ON pets FOR EACH ROW WHEN (new.id = ${id}) EXECUTE FUNCTION wait()`)
    start()
    const waits = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    await vi.waitFor(async () => expect((await client.query(waits)).rowCount).toBe(1), 20_000)
    return () => client.query('SELECT pg_advisory_unlock(1)')
  }
  return { stores, pauseInAdd, close: async () => void (await Promise.all([close(), client.end()])) }
})
damageContract('PostgreSQL', async () => {
  const { config, open } = await place()
  const other = await openDatabase(config)
  const change = (sql: string) => succeed(other.write((run) => run(sql)))
  const damage = (id: bigint) => change(`UPDATE pets SET name = '' WHERE id = ${id}`)
  const damageRelay = () => change("UPDATE store SET relay = '{}'")
  const store = await open()
  return { ...store, damage, damageRelay, close: async () => void (await Promise.all([store.close(), other.close()])) }
})
idGeneratorContract('PostgreSQL', async (last) => {
  const { config, open } = await place()
  const database = await openDatabase(config)
  await succeed(database.write((run) => run('UPDATE store SET last_id = $1', [last])))
  await database.close()
  return open()
})

it('has what was acknowledged after its server was killed, and works again', { timeout: 60_000 }, async () => {
  const store = await open()
  const add = addPet({ ...store, clock: systemClock, crypto: nodeCrypto })
  const create = add({ newPet: { name: 'Rex', categoryId: 7n }, idempotencyKey: O.none })
  const creating = Array.from({ length: 200 }, () => create())
  await Promise.race(creating)
  await server.kill()
  const kept = (await Promise.all(creating)).flatMap((result) => (E.isRight(result) ? [result.right.pet] : []))
  expect(await create()).toMatchObject({ left: { _tag: 'Unavailable' } })
  await server.restart()
  expect([kept.length > 0, kept.length < creating.length]).toStrictEqual([true, true])
  for (const pet of kept) expect(await succeed(store.pets.findById(pet.id))).toStrictEqual(O.some(pet))
  const { pet } = await succeed(create)
  expect(kept.every(({ id }) => id < pet.id)).toBe(true)
  await store.close()
})

it('has a new log, and reuses no id, after the statement for a restored copy', async () => {
  const { config, open } = await place()
  const create = async () => {
    const store = await open()
    const ports = { ...store, clock: systemClock, crypto: nodeCrypto }
    const { pet } = await succeed(addPet(ports)({ newPet: { name: 'Rex', categoryId: 7n }, idempotencyKey: O.none }))
    const { logId } = await succeed(store.log.head)
    await store.close()
    return { id: pet.id, logId }
  }
  const [kept, lost] = [await create(), await create()]
  const client = await connect(config)
  // as in a backup that was taken between the two
  await client.query(`DELETE FROM pets WHERE id = ${lost.id}; UPDATE store SET last_id = ${kept.id}`)
  const [, statement = ''] = /```sql\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? []
  await client.query(statement)
  await client.end()
  const next = await create()
  expect(next.id > lost.id).toBe(true)
  expect(next.logId).not.toBe(lost.logId)
})

it('opens beside a write that takes long', async () => {
  const { config, open } = await place()
  const stores = [await open()]
  const client = await connect(config)
  await client.query('BEGIN; LOCK TABLE pets IN ROW EXCLUSIVE MODE')
  stores.push(await open())
  await Promise.all([...stores.map(({ close }) => close()), client.end()])
  expect(stores).toHaveLength(2)
})

it('is served by the main', { timeout: 30_000 }, async () => {
  const { host, options } = await server.makePlace()
  const variables = { PORT: '0', PGHOST: host, PGUSER: 'pets', PGDATABASE: 'postgres', PGOPTIONS: options }
  const child = spawn(process.execPath, ['dist/main.js'], { env: { ...process.env, ...variables } })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => (printed += String(bytes)))
  const find = (text: RegExp) => vi.waitFor(() => text.exec(printed)?.[1] ?? expect.fail(printed), 20_000)
  const [key, url] = [await find(/^(ast_live_\S+)$/m), await find(/"url":"([^"]+)"/)]
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const pet = '"name":"Rex","categoryId":9223372036854775807'
  const created = await fetch(`${url}/pets`, { method: 'POST', headers, body: `{${pet}}` })
  expect(await created.text()).toBe(`{"id":1,${pet}}`)
  child.kill()
  expect(await once(child, 'exit')).toStrictEqual([0, null])
})
