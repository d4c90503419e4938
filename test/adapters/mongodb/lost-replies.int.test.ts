// Lost replies after a commit: no write is lost or repeated. test/fault/mongodb.fault.test.ts does this under load.
import * as O from 'fp-ts/lib/Option.js'
import type { Document } from 'mongodb'
import { describe, expect, it } from 'vitest'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import { added, anyApiKey, eventOf, fail, held, numbered, recordOf, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { behindProxy } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { losingReplies } from '../../support/mongodb/wire-taps.js'

describeWith('mongodb', 'MongoDB with lost replies', (address) => {
  const { uri, clear } = testDatabase(address)

  /** The next `times` replies to the command are lost. */
  const losing = async (command: string, times: number, instead?: Document) => {
    await clear()
    let left = 0
    let lost = 0
    const tap = losingReplies((sent) => {
      if (sent !== command || left === 0) return false
      left -= 1
      lost += 1
      return true
    }, instead)
    const store = openStoreOf((await behindProxy(uri, tap)).uri)
    await succeed(store.ping)
    left = times
    const loseMore = (more: number): void => {
      left += more
    }
    return { ...store, lost: () => lost, loseMore }
  }
  const event = (id: number) => eventOf(numbered(id), { time: 1_000 })
  const idempotencyKey = held('a', 'k')

  describe('two in a row', () => {
    const times = 2

    it('distinguishes a retry from the pet that holds the key', async () => {
      const { pets, lost } = await losing('insert', times)
      await succeed(pets.add(recordOf(event(1), idempotencyKey)))
      const again = await succeed(pets.add(recordOf(event(2), idempotencyKey)))
      expect(again).toStrictEqual({ _tag: 'KeyTaken', by: event(1).pet })
      expect(lost()).toBe(times)
    })

    it('adds the API key once', async () => {
      const { apiKeys, lost } = await losing('insert', times)
      await succeed(apiKeys.add(anyApiKey))
      expect(lost()).toBe(times)
      expect(await succeed(apiKeys.list)).toStrictEqual([anyApiKey])
    })

    it('saves the record of the relay once, and returns the latest one', async () => {
      const { relay, lost, loseMore } = await losing('update', 0)
      const record = { position: 0, retry: [], parked: [], hasSent: false, leaseMs: 1 }
      for (const version of [1, 2]) {
        loseMore(times)
        // False: the first attempt has saved it
        await succeed(relay.save({ ...record, version }))
        expect(lost()).toBe(times * version)
        expect(await succeed(relay.load)).toStrictEqual(O.some({ ...record, version }))
      }
    })

    it.each(['find', 'aggregate'])('reads again if the reply to %s is lost', async (command) => {
      const { pets, lost } = await losing(command, times)
      await succeed(pets.add(recordOf(event(1))))
      expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(event(1).pet))
      expect(await succeed(pets.count(ALL_PETS))).toBe(1)
      expect(lost()).toBe(times)
    })
  })

  it('acknowledges none of many pets that are not on a majority yet', async () => {
    const writeConcernError = { code: 64, errmsg: 'waiting for replication timed out' }
    const { pets, lost } = await losing('insert', 1, { ok: 1, n: 2, writeConcernError })
    await Promise.all([1, 2].map((id) => fail(pets.add(recordOf(event(id))))))
    expect(lost()).toBe(1)
  })

  it.each(['findAndModify', 'insert', 'find'])('repeats %s if a server that steps down refuses it', async (command) => {
    const steppedDown = { ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }
    const { ids, pets, lost } = await losing(command, 1, steppedDown)
    expect(await succeed(pets.add(recordOf(event(1))))).toStrictEqual(added(1))
    expect(await succeed(pets.findById(1n))).toStrictEqual(O.some(event(1).pet))
    await succeed(ids.next)
    expect(lost()).toBe(1)
  })
})
