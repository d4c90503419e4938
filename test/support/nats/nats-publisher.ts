import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isLosslessNumber, parse } from 'lossless-json'
import { expect, onTestFinished } from 'vitest'
import { natsAddress } from '../../../src/adapters/nats/address.js'
import { makeNatsPublisher } from '../../../src/adapters/nats/event-publisher.js'
import type { NatsPublisherSettings } from '../../../src/adapters/nats/settings.js'
import { cloudEventType } from '../../../src/domain/events/cloud-event.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import { Pet } from '../../../src/domain/pets/pet.js'
import type { Notice } from '../../../src/ports/notice.js'
import { eventOf, numbered } from '../../../src/testing/samples.js'
import { eventually } from '../runner/eventually.js'

export const delivered = { _tag: 'Delivered' }
export const failed: unknown = expect.objectContaining({ _tag: 'Failed' })
export const poisoned: unknown = expect.objectContaining({ _tag: 'Poisoned' })

/** A new event ID at each call. */
export const makeEvent = (id: number, name = 'Rex'): PetCreated =>
  eventOf(numbered(id, { name, categoryId: 1n }), { eventId: randomUUID(), time: 1_000 })

export const openPublisher = (
  url: string,
  {
    typePrefix = `test.${randomUUID()}`,
    hasSent = TE.right(false),
  }: Partial<Pick<NatsPublisherSettings, 'typePrefix' | 'hasSent'>> = {},
) => {
  const address = natsAddress(url)
  if (E.isLeft(address)) throw new Error(address.left)
  const settings = { source: 'http://localhost/v1', typePrefix, hasSent }
  const notices: Notice[] = []
  const publisher = makeNatsPublisher(address.right, settings, (notice) => notices.push(notice))
  onTestFinished(publisher.close)
  const told = (message: string) => eventually(() => expect(notices.map((notice) => notice.message)).toContain(message))
  return {
    publisher,
    settings,
    notices,
    told,
    subject: cloudEventType('PetCreated', settings),
    connected: () => told('connected to the event broker'),
    publish: (...events: readonly PetCreated[]) => publisher.publish(events)(),
  }
}

const bigints = (key: string, value: unknown): unknown =>
  isLosslessNumber(value) ? (key === 'time' ? Number(value.value) : BigInt(value.value)) : value

export const eventFrom = (text: string): PetCreated => {
  const { id, time, data } = parse(text, bigints) as { id: string; time: string; data: unknown }
  const pet = Pet.decode(data)
  if (E.isLeft(pet)) throw new Error(`no pet in ${text}`)
  return { _tag: 'PetCreated', eventId: id, time: Date.parse(time), pet: pet.right }
}
