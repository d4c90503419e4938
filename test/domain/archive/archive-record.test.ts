import { describe, expect, it } from 'vitest'
import { isSameEvent } from '../../../src/domain/archive/archive-record.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import { petRecord } from '../../../src/testing/samples.js'

describe('isSameEvent', () => {
  const { event } = petRecord(1)
  const pet = { ...event.pet }

  it('finds two equal events the same', () => {
    expect(isSameEvent(event, { ...event, pet })).toBe(true)
  })

  it.each<readonly [string, Partial<PetCreated>]>([
    ['its id', { eventId: 'other' }],
    ['its time', { time: petRecord(2).event.time }],
    ['its trace', { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' }],
    ['the id of its pet', { pet: { ...pet, id: petRecord(2).event.pet.id } }],
    ['the name of its pet', { pet: { ...pet, name: 'other' } }],
    ['the category of its pet', { pet: { ...pet, categoryId: 0n } }],
    ['the status of its pet', { pet: { ...pet, status: 'sold' } }],
  ])('tells events apart by %s', (_, changes) => {
    expect(isSameEvent(event, { ...event, ...changes })).toBe(false)
    expect(isSameEvent({ ...event, ...changes }, event)).toBe(false)
  })
})
