// Commands that wait for a majority, so that a failover undoes nothing that was acknowledged.
import { inspect } from 'node:util'
import type { Document } from 'mongodb'
import { expect, it } from 'vitest'
import { held, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { watchingCommands } from '../../support/mongodb/lost-replies.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { openProxy } from '../../support/network/tcp-proxy.js'

describeWith('mongodb', 'MongoDB with a failing primary', (address) => {
  const { uri } = testDatabase(address)

  /** A store, and all commands of one name that its database got. */
  const watched = async () => {
    const commands: Document[] = []
    const url = new URL(uri)
    const proxy = await openProxy(
      Number(url.port),
      watchingCommands((command) => commands.push(command)),
    )
    url.host = `127.0.0.1:${proxy.port}`
    const store = openStoreOf(url.href)
    await succeed(store.ping)
    return { store, named: (name: string, of: string) => commands.filter((command) => command[name] === of) }
  }
  const majority = { w: 'majority', j: true }

  it('writes every id to the journal of a majority before it returns it', async () => {
    const { store, named } = await watched()
    await succeed(store.ids.next)
    const drawn = named('findAndModify', 'counters')
    expect(drawn.length).toBeGreaterThan(0)
    for (const command of drawn) expect(command).toMatchObject({ writeConcern: majority })
  })

  it('writes every pet there before it returns, and reads there who holds an id or a key', async () => {
    const { store, named } = await watched()
    for (const ids of [[1], [2, 3], [4, 5], [1]]) {
      await Promise.all(ids.map((id) => succeed(store.pets.add(record(numbered(id), held('a', 'k'))))))
    }
    const keys = [
      { lineage: 'a', key: 'k' },
      { lineage: 'a', key: 'other' },
    ] as const
    await succeed(store.pets.findByIdempotencyKey(keys[0], 1_000))
    await Promise.all(keys.map((key) => succeed(store.pets.findByIdempotencyKey(key, 1_000))))
    const inserts = named('insert', 'pets')
    expect(inserts.length).toBeGreaterThanOrEqual(4)
    for (const command of inserts) expect(command).toMatchObject({ writeConcern: majority })
    const reads = named('find', 'pets')
    expect(reads.length).toBeGreaterThanOrEqual(4)
    // read locally: the highest stored id, because a counter that is too high draws no id twice, and ids of no pets, which are only reported
    const isLocal = ({ sort, filter }: Document) =>
      JSON.stringify(sort) === '{"_id":-1}' || inspect(filter, { depth: 4 }).includes('$not')
    for (const command of reads.filter((read) => !isLocal(read))) {
      expect(command).toMatchObject({ readConcern: { level: 'majority' } })
    }
  })
})
