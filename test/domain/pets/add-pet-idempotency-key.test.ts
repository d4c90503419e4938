import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addPet, type PetAdded } from '../../../src/domain/pets/add-pet.js'
import { newPet } from '../../../src/testing/arbitraries.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { countAll, rex, under } from '../../support/domain/add-pet-input.js'
import { makeWorld } from '../../support/domain/domain-world.js'
import { failingIds, failingPets, outage } from '../../support/domain/failing-ports.js'
import { eventsIn } from '../../support/domain/log-reads.js'

const HOURS_24 = 86_400_000
describe('addPet under an idempotency key', () => {
  const first: PetAdded = { pet: { id: 1n, ...rex }, replayed: false }

  it('returns the first pet to a retry, and adds nothing', async () => {
    const world = makeWorld()
    expect(await succeed(addPet(world)(under('key')))).toStrictEqual(first)
    expect(await succeed(addPet(world)(under('key')))).toStrictEqual({ ...first, replayed: true })
    expect(await countAll(world)).toBe(1)
    expect(await eventsIn(world)).toHaveLength(1)
  })

  it('treats any input that decodes to the same pet as a retry', async () => {
    await fc.assert(
      fc.asyncProperty(newPet(), async (sent) => {
        const world = makeWorld()
        const { pet } = await succeed(addPet(world)(under('key', sent)))
        const reordered: unknown = Object.fromEntries([['more', 1], ...Object.entries(sent).reverse()])
        expect(await succeed(addPet(world)(under('key', reordered)))).toStrictEqual({ pet, replayed: true })
      }),
    )
  })

  it.each<readonly [string, unknown]>([
    ['name', { ...rex, name: 'rex' }],
    ['category', { ...rex, categoryId: 8n }],
    ['status', { ...rex, status: 'sold' }],
    ['absent status', { name: rex.name, categoryId: rex.categoryId }],
  ])('refuses the key for a pet with a different %s, and adds nothing', async (_, other) => {
    const world = makeWorld()
    await succeed(addPet(world)(under('key')))
    expect(await fail(addPet(world)(under('key', other)))).toStrictEqual({ _tag: 'IdempotencyKeyReused' })
    expect(await countAll(world)).toBe(1)
    expect(await succeed(addPet(world)(under('key')))).toStrictEqual({ ...first, replayed: true })
  })

  it('refuses an invalid pet before it uses the key', async () => {
    const world = makeWorld()
    expect(await fail(addPet(world)(under('key', {})))).toMatchObject({ _tag: 'ValidationFailed' })
    expect(await succeed(addPet(world)(under('key')))).toStrictEqual(first)
    expect(await fail(addPet(world)(under('key', {})))).toMatchObject({ _tag: 'ValidationFailed' })
  })

  it('keeps a key for 24 hours after its first use, not after a retry', async () => {
    const world = makeWorld()
    await succeed(addPet(world)(under('key')))
    world.clock.advance(HOURS_24 - 1)
    expect((await succeed(addPet(world)(under('key')))).replayed).toBe(true)
    world.clock.advance(1)
    const { pet, replayed } = await succeed(addPet(world)(under('key', { ...rex, name: 'Tom' })))
    expect([pet.name, replayed]).toStrictEqual(['Tom', false])
    world.clock.advance(HOURS_24 - 1)
    expect(await succeed(addPet(world)(under('key', { ...rex, name: 'Tom' })))).toStrictEqual({ pet, replayed: true })
  })

  it('leaves the key free if its pet could not be stored', async () => {
    const world = makeWorld()
    expect(await fail(addPet({ ...world, pets: failingPets })(under('key')))).toBe(outage)
    expect((await succeed(addPet(world)(under('key')))).replayed).toBe(false)
  })

  it('returns a retry even if there are no more ids [retries]', async () => {
    const world = makeWorld()
    const { pet } = await succeed(addPet(world)(under('key')))
    const exhausted = addPet({ ...world, ids: failingIds })
    expect(await succeed(exhausted(under('key')))).toStrictEqual({ pet, replayed: true })
    expect(await fail(exhausted(under('key', { ...rex, name: 'Tom' })))).toStrictEqual({ _tag: 'IdempotencyKeyReused' })
    expect(await fail(exhausted(under('other key')))).toBe(outage)
  })
})
