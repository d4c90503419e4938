import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makePetRecords } from '../../../src/adapters/memory/pet-repository.js'
import { makeMemoryIdGenerator } from '../../../src/adapters/memory/store.js'
import type { Fault } from '../../../src/domain/codecs/struct.js'
import { type AddPetInput, addPet, onAdded } from '../../../src/domain/pets/add-pet.js'
import type { NewPet, Pet } from '../../../src/domain/pets/pet.js'
import { addAll, anyPet, fail, numbered, range, succeed } from '../../../src/testing/samples.js'
import { countedUuid } from '../../support/domain/counting-crypto.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingIds, failingPets, outage } from '../../support/domain/failing-ports.js'
import { eventsIn } from '../../support/domain/log-reads.js'

const rex: NewPet = { ...anyPet, status: 'available' }
const once = (sent: unknown): AddPetInput => ({ newPet: sent, idempotencyKey: O.none })
const under = (key: string, sent: unknown = rex, lineage = 'caller'): AddPetInput => ({
  newPet: sent,
  idempotencyKey: O.some({ lineage, key }),
})
const PRINTABLE = 'must have 1 to 255 printable ASCII characters'

describe('addPet', () => {
  it('stores an event with each pet, with a new id and the current time', async () => {
    const world = makeWorld()
    const added = await succeed(addPet(world)(once(rex)))
    expect(added).toStrictEqual({ pet: { id: 1n, ...rex }, replayed: false })
    world.clock.advance(5)
    await succeed(addPet(world)(once({ name: 'Tom', categoryId: 8 })))
    expect(await eventsIn(world)).toStrictEqual([
      { _tag: 'PetCreated', eventId: countedUuid(1), time: 1_000_000, pet: { id: 1n, ...rex } },
      { _tag: 'PetCreated', eventId: countedUuid(2), time: 1_000_005, pet: { id: 2n, name: 'Tom', categoryId: 8n } },
    ])
  })

  const name = { pointer: '/name', reason: 'must have 1 to 256 characters' }
  const key = { pointer: '/idempotencyKey/key', reason: PRINTABLE }
  const lineage = { pointer: '/idempotencyKey/lineage', reason: PRINTABLE }
  const traceparent = { pointer: '/traceparent', reason: 'must be a traceparent of version 00' }
  it.each<readonly [string, Partial<AddPetInput>, readonly Fault[]]>([
    ['an idempotency key of 3,000 characters', under('k'.repeat(3_000)), [key]],
    ['an empty idempotency key', under(''), [key]],
    ['an idempotency key with a line break', under('a\nb'), [key]],
    ['a lineage with a NUL', under('k', rex, 'a\0'), [lineage]],
    ['a malformed traceparent', { traceparent: '00' }, [traceparent]],
    ['everything', { ...under('', { ...rex, name: '' }, ''), traceparent: '' }, [name, lineage, key, traceparent]],
  ])('refuses %s, and asks no port', async (_, input, faults) => {
    const ports = { ...makeWorld(), pets: failingPets, ids: failingIds }
    expect(await fail(addPet(ports)({ ...once(rex), ...input }))).toStrictEqual({ _tag: 'ValidationFailed', faults })
  })

  it('reports an outage of any port, and leaves the idempotency key free', async () => {
    const world = makeWorld()
    for (const away of [{ ids: failingIds }, { pets: failingPets }])
      for (const input of [once(rex), under('key')])
        expect(await fail(addPet({ ...world, ...away })(input))).toBe(outage)
    expect(await eventsIn(world)).toStrictEqual([])
    expect((await succeed(addPet(world)(under('key')))).replayed).toBe(false)
  })

  it('answers the loser of a race under one key with the pet of the winner, or with 422 if that is another one', async () => {
    const world = makeWorld()
    const winner: Pet = { id: 7n, ...rex }
    const pets = { ...world.pets, add: () => TE.right({ _tag: 'KeyTaken' as const, by: winner }) }
    const race = addPet({ ...world, pets })
    expect(await succeed(race(under('key')))).toStrictEqual({ pet: winner, replayed: true })
    expect(await fail(race(under('key', { ...rex, name: 'Tom' })))).toStrictEqual({ _tag: 'IdempotencyKeyReused' })
  })

  it.each([1, 20])(
    'answers the id that the store gave the pet, and tells readers of the log, if the first %i are in use',
    async (count) => {
      const world = makeWorld()
      const behind = makeMemoryIdGenerator(makePetRecords())
      await addAll(
        world.pets,
        range(1, count).map((id) => numbered(id)),
      )
      let told = 0
      const pets = onAdded(world.pets, { added: () => (told += 1) })
      const pet = { id: BigInt(count + 1), ...rex }
      expect(await succeed(addPet({ ...world, pets, ids: behind })(under('key')))).toStrictEqual({
        pet,
        replayed: false,
      })
      expect(told).toBe(1)
      expect(await succeed(world.pets.findById(1n))).toStrictEqual(O.some(numbered(1)))
    },
  )

  it('returns a retry even if there are no more ids [retries]', async () => {
    const world = makeWorld()
    const { pet } = await succeed(addPet(world)(under('key')))
    const exhausted = addPet({ ...world, ids: failingIds })
    expect(await succeed(exhausted(under('key')))).toStrictEqual({ pet, replayed: true })
    expect(await fail(exhausted(under('key', { ...rex, name: 'Tom' })))).toStrictEqual({ _tag: 'IdempotencyKeyReused' })
    expect(await fail(exhausted(under('other key')))).toBe(outage)
    expect(await eventsIn(world)).toHaveLength(1)
  })
})
