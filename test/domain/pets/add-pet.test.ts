import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { makePetRecords } from '../../../src/adapters/memory/pet-repository.js'
import { makeMemoryIdGenerator } from '../../../src/adapters/memory/store.js'
import type { Fault } from '../../../src/domain/codecs/struct.js'
import { type AddPetInput, addPet } from '../../../src/domain/pets/add-pet.js'
import { newPet } from '../../../src/testing/arbitraries.js'
import { addAll, fail, numbered, range, succeed } from '../../../src/testing/samples.js'
import { countAll, once, rex, under } from '../../support/domain/add-pet-input.js'
import { countedUuid } from '../../support/domain/counting-crypto.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingIds, failingPets, outage } from '../../support/domain/failing-ports.js'
import { eventsIn } from '../../support/domain/log-reads.js'

const PRINTABLE = 'must have 1 to 255 printable ASCII characters'

describe('addPet', () => {
  it('numbers the pet, stores it and returns it', async () => {
    const world = makeWorld()
    const added = await succeed(addPet(world)(once(rex)))
    expect(added).toStrictEqual({ pet: { id: 1n, ...rex }, replayed: false })
    expect(await succeed(world.pets.findById(1n))).toStrictEqual(O.some({ id: 1n, ...rex }))
  })

  it('stores an event with each pet, with a new id and the current time', async () => {
    const world = makeWorld()
    await succeed(addPet(world)(once(rex)))
    world.clock.advance(5)
    await succeed(addPet(world)(once({ name: 'Tom', categoryId: 8 })))
    expect(await eventsIn(world)).toStrictEqual([
      { _tag: 'PetCreated', eventId: countedUuid(1), time: 1_000_000, pet: { id: 1n, ...rex } },
      { _tag: 'PetCreated', eventId: countedUuid(2), time: 1_000_005, pet: { id: 2n, name: 'Tom', categoryId: 8n } },
    ])
  })

  it('adds any valid pet as it was sent, and drops unknown members', async () => {
    await fc.assert(
      fc.asyncProperty(newPet(), async (sent) => {
        const world = makeWorld()
        const { pet } = await succeed(addPet(world)(once({ ...sent, id: 99n, tags: ['x'] })))
        expect(pet).toStrictEqual({ id: 1n, ...sent })
        expect(await succeed(world.pets.findById(1n))).toStrictEqual(O.some(pet))
      }),
    )
  })

  it('refuses an invalid NewPet, lists every fault, and draws no id', async () => {
    const world = makeWorld()
    expect(await fail(addPet(world)(once({ name: '', status: 'gone' })))).toStrictEqual({
      _tag: 'ValidationFailed',
      faults: [
        { pointer: '/name', reason: 'must have 1 to 256 characters' },
        { pointer: '/categoryId', reason: 'is required' },
        { pointer: '/status', reason: 'must be one of available, pending, sold' },
      ],
    })
    expect(await fail(addPet(world)(once(undefined)))).toStrictEqual({
      _tag: 'ValidationFailed',
      faults: [{ pointer: '', reason: 'must be an object' }],
    })
    expect(await countAll(world)).toBe(0)
    expect(await succeed(world.ids.next)).toBe(1n)
  })

  it.each<readonly [string, Partial<AddPetInput>, readonly Fault[]]>([
    [
      'an idempotency key of 3,000 characters',
      under('k'.repeat(3_000)),
      [{ pointer: '/idempotencyKey/key', reason: PRINTABLE }],
    ],
    ['an empty idempotency key', under(''), [{ pointer: '/idempotencyKey/key', reason: PRINTABLE }]],
    ['an idempotency key with a line break', under('a\nb'), [{ pointer: '/idempotencyKey/key', reason: PRINTABLE }]],
    ['a lineage with a NUL', under('k', rex, 'a\0'), [{ pointer: '/idempotencyKey/lineage', reason: PRINTABLE }]],
    [
      'a traceparent in upper case',
      { traceparent: '00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01' },
      [{ pointer: '/traceparent', reason: 'must be a traceparent of version 00' }],
    ],
    [
      'everything',
      { ...under('', { ...rex, name: '' }, ''), traceparent: '' },
      [
        { pointer: '/name', reason: 'must have 1 to 256 characters' },
        { pointer: '/idempotencyKey/lineage', reason: PRINTABLE },
        { pointer: '/idempotencyKey/key', reason: PRINTABLE },
        { pointer: '/traceparent', reason: 'must be a traceparent of version 00' },
      ],
    ],
  ])('refuses %s, and asks no port', async (_, input, faults) => {
    const ports = { ...makeWorld(), pets: failingPets, ids: failingIds }
    expect(await fail(addPet(ports)({ ...once(rex), ...input }))).toStrictEqual({ _tag: 'ValidationFailed', faults })
  })

  it('reports an outage of any port', async () => {
    const world = makeWorld()
    expect(await fail(addPet({ ...world, ids: failingIds })(once(rex)))).toBe(outage)
    expect(await fail(addPet({ ...world, pets: failingPets })(once(rex)))).toBe(outage)
    expect(await countAll(world)).toBe(0)
  })

  it.each([1, 20])('answers the id that the store gave the pet, if the first %i are in use', async (count) => {
    const world = makeWorld()
    const behind = makeMemoryIdGenerator(makePetRecords())
    await addAll(
      world.pets,
      range(1, count).map((id) => numbered(id)),
    )
    expect(await succeed(addPet({ ...world, ids: behind })(under('key')))).toStrictEqual({
      pet: { id: BigInt(count + 1), ...rex },
      replayed: false,
    })
    expect(await succeed(world.pets.findById(1n))).toStrictEqual(O.some(numbered(1)))
  })
})
