import { describe, expect, it } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import type { PoisonedDelivery } from '../../../src/ports/event-publisher.js'
import { eventOf, numbered } from '../../../src/testing/samples.js'
import { delivered } from '../../support/domain/log-reads.js'

const events = [1, 2, 3].map((id) => eventOf(numbered(id)))
const refused: PoisonedDelivery = { _tag: 'Poisoned', reason: 'no such category' }

/** Two subscribers, of which the first does this with the second event. */
const publishing = (onSecond: () => PoisonedDelivery | undefined) => {
  const [first, second]: [bigint[], bigint[]] = [[], []]
  const { publish } = makeInProcessPublisher([
    async ({ pet }) => {
      first.push(pet.id)
      return pet.id === 2n ? onSecond() : undefined
    },
    ({ pet }) => void second.push(pet.id),
  ])
  return { first, second, publish: publish(events) }
}

describe('makeInProcessPublisher', () => {
  it('stops at the first event that fails, so that no subscriber gets a later event before it', async () => {
    let isAway = true
    const { first, second, publish } = publishing(() => {
      if (isAway) throw new Error('away')
      return undefined
    })
    expect(await publish()).toStrictEqual([delivered, { _tag: 'Failed', reason: 'Error: away' }])
    expect([first, second]).toStrictEqual([[1n, 2n], [1n]])
    isAway = false
    expect(await publish()).toStrictEqual([delivered, delivered, delivered])
    expect(second).toStrictEqual([1n, 1n, 2n, 3n])
  })

  it('goes on after an event that a subscriber never accepts, once the other subscribers have it', async () => {
    const { first, second, publish } = publishing(() => refused)
    expect(await publish()).toStrictEqual([delivered, refused, delivered])
    expect([first, second]).toStrictEqual([
      [1n, 2n, 3n],
      [1n, 2n, 3n],
    ])
  })
})
