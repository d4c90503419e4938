// Measurements of the MongoDB store, and how slow or frequent calls share a few commands.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import type { CommandFailedEvent, CommandSucceededEvent } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'
import { DEADLINES, type Deadlines, makeDatabase } from '../../../src/adapters/mongodb/connection/connection.js'
import { measureClients } from '../../../src/adapters/mongodb/connection/monitor.js'
import { insertVoids } from '../../../src/adapters/mongodb/log/gaps.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { PET_STATUSES } from '../../../src/domain/pets/pet.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { StoreObserver } from '../../../src/ports/observer.js'
import { petRecord, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { anyApiKey, numbered, range, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { scrape } from '../../support/documents/scrape.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { behindProxy, openHeldStore } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'
import { fillStore } from '../../support/stores/rich-store.js'

const open = async (uri: string, deadlines: Partial<Deadlines> = {}) => {
  const metrics = await loadMetrics()
  const store = openStoreOf(uri, { observer: metrics.storeObserver }, undefined, deadlines)
  return { store, read: () => scrape(metrics) }
}

describeWith('mongodb', 'the measurements of the MongoDB store', (address) => {
  const { uri, database, clear } = testDatabase(address)

  it('measures the commands, the calls that share one, and the connections', async () => {
    const { store, read } = await open(uri)
    const failures = async () => Object.keys(await read()).filter((name) => name.includes('command_failures_total'))
    const first = await failures()
    await succeed(store.ping)
    await Promise.all(range(1, 5).map((id) => succeed(store.pets.add(record(numbered(id))))))
    await succeed(store.pets.findById(1n))
    await succeed(store.pets.count(ALL_PETS))
    await succeed(store.apiKeys.list)
    await succeed(store.log.read({ after: 0, limit: 1 }))
    await succeed(store.relay.load)
    const series = await read()
    expect(await failures()).toStrictEqual(first)
    expect(series).toMatchObject({
      animal_store_database_writable: 1,
      'animal_store_batch_size_sum{operation="pets.add"}': 5,
      'animal_store_batch_size_sum{operation="pets.findById"}': 1,
      'animal_store_batch_size_sum{operation="pets.count"}': 1,
      'animal_store_command_failures_total{command="insert"}': 0,
      'animal_store_database_connections{pool="requests",state="in_use"}': 0,
      'animal_store_database_connections{pool="counts",state="idle"}': 1,
      'animal_store_database_waiting{pool="requests"}': 0,
    })
    const inserts = series['animal_store_command_duration_seconds_count{command="insert"}']
    expect(inserts).toBe(series['animal_store_batch_size_count{operation="pets.add"}'])
    expect(inserts).toBeLessThan(5)
    expect(series['animal_store_command_duration_seconds_sum{command="insert"}']).toBeGreaterThan(0)
    expect(series['animal_store_database_connections{pool="requests",state="idle"}']).toBeGreaterThanOrEqual(2)
  })

  it('keeps nothing of a command that has ended, and so measures no end twice', async () => {
    const databases = {
      requests: makeDatabase(uri, 'requests', DEADLINES, true),
      counts: makeDatabase(uri, 'counts'),
      maintenance: makeDatabase(uri, 'maintenance'),
    }
    onTestFinished(async () => void (await Promise.all(Object.values(databases).map(({ close }) => close()))))
    const measured: string[] = []
    measureClients({ command: (name) => measured.push(name), batch: () => {}, watch: () => {} }, databases)
    const { client, open: connect } = databases.requests
    const connected = await connect()
    const succeeded = once(client, 'commandSucceeded') as Promise<[CommandSucceededEvent]>
    const failed = once(client, 'commandFailed') as Promise<[CommandFailedEvent]>
    await connected.command({ ping: 1 })
    await expect(connected.command({ insert: '' })).rejects.toThrow()
    expect(measured).toStrictEqual(['ping', 'insert'])
    for (const event of await succeeded) client.emit('commandSucceeded', event)
    for (const event of await failed) client.emit('commandFailed', event)
    expect(measured).toStrictEqual(['ping', 'insert'])
  })

  it('announces each command that it sends, and no other', async () => {
    const sent = new Set<string>()
    const announced: string[] = []
    const observer: StoreObserver = {
      command: (name) => sent.add(name),
      batch: () => {},
      watch: (commands) => announced.push(...commands),
    }
    const store = openStoreOf(uri, { observer })
    await clear()
    await fillStore(store, 4)
    await succeed(store.ping)
    await succeed(store.pets.count(ALL_PETS))
    await succeed(store.log.read({ after: 0, limit: 9 }))
    // more than the driver gets at once
    for (const at of range(1, 110)) await succeed(store.apiKeys.add({ ...anyApiKey, id: `key-${at}` }))
    await succeed(store.apiKeys.list)
    await insertVoids(database, [9n])
    await restoreInto(store.archive, petRecord(9))
    expect([...sent].sort()).toStrictEqual(announced.sort())
  })

  it('shows that the database is away, and that commands fail', async () => {
    const { proxy, uri: proxied } = await behindProxy(uri)
    const { store, read } = await open(proxied, DEADLINES)
    const writable = (value: number) =>
      eventually(async () => expect(await read()).toHaveProperty('animal_store_database_writable', value))
    await eventually(() => succeed(store.ping))
    await writable(1)
    proxy.freeze()
    const held = Array.from({ length: 40 }, () => store.apiKeys.list())
    await eventually(async () =>
      expect((await read())['animal_store_database_waiting{pool="requests"}']).toBeGreaterThan(0),
    )
    proxy.cut()
    await Promise.all(held)
    await writable(0)
    await eventually(async () => {
      const series = await read()
      expect(series['animal_store_command_failures_total{command="find"}']).toBeGreaterThan(0)
      expect(series).toMatchObject({
        'animal_store_database_connections{pool="requests",state="in_use"}': 0,
        'animal_store_database_waiting{pool="requests"}': 0,
      })
    })
    proxy.heal()
    await writable(1)
  })

  it('shares the look-ups of unknown keys, and answers those of known ones', async () => {
    const { store, commands, mostAtOnce } = await openHeldStore(uri, 'find', () => sleep(100))
    await succeed(store.apiKeys.add(anyApiKey))
    const before = commands()
    const strangers = range(1, 500).map((at) => succeed(store.apiKeys.find(`unknown-${at}`)))
    expect(await succeed(store.apiKeys.find(anyApiKey.id))).toStrictEqual(O.some(anyApiKey))
    expect((await Promise.all(strangers)).every(O.isNone)).toBe(true)
    expect(mostAtOnce()).toBeLessThanOrEqual(2)
    expect(commands() - before).toBeLessThanOrEqual(6)
  })

  it('sends two exact counts at a time, which share few commands', async () => {
    const { store, commands, mostAtOnce } = await openHeldStore(uri, 'aggregate', () => sleep(200))
    await succeed(store.ping)
    const filters = PET_STATUSES.map((status) => ({ ...ALL_PETS, status: O.some(status) }))
    const counts = range(1, 64).map((at) => succeed(store.pets.count(filters[at % filters.length] ?? ALL_PETS)))
    await Promise.all(counts)
    expect([mostAtOnce(), commands()]).toStrictEqual([2, filters.length])
  })
})
