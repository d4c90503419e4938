// The CloudEvents 1.0 form of domain events.

import { instantText } from '../codecs/instant.js'
import { petJson } from '../pets/pet-json.js'
import { type DomainEvent, eventSubject, matchEvent } from './domain-event.js'

export interface CloudEventSettings {
  /** The public base address, with `/v1`. */
  readonly source: string
  /** Reverse domain name that precedes `.pet.created.v1`. */
  readonly typePrefix: string
}

/** The envelope of an event. */
export interface CloudEventAttributes {
  readonly specversion: '1.0'
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject: string
  readonly time: string
  readonly datacontenttype: 'application/json'
  /** Of the request that caused the event (CloudEvents, Distributed Tracing extension). */
  readonly traceparent?: string
}

type TypeSettings = Pick<CloudEventSettings, 'typePrefix'>

/** The types without their prefix. */
export const TYPES: Readonly<Record<DomainEvent['_tag'], string>> = {
  PetCreated: 'pet.created.v1',
}

/**
 * The type of an event, and its subject on brokers that have subjects.
 *
 * @example
 * cloudEventType('PetCreated', { typePrefix: 'org.example' }) // => 'org.example.pet.created.v1'
 */
export const cloudEventType = (tag: DomainEvent['_tag'], { typePrefix }: TypeSettings): string =>
  `${typePrefix}.${TYPES[tag]}`

/**
 * The types of all events.
 *
 * @example
 * cloudEventTypes({ typePrefix: 'org.example' }) // => ['org.example.pet.created.v1']
 */
export const cloudEventTypes = ({ typePrefix }: TypeSettings): readonly string[] =>
  Object.values(TYPES).map((type) => `${typePrefix}.${type}`)

/**
 * The attributes of the event, without `data` (CloudEvents 1.0, Context Attributes).
 *
 * @example
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * const event = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet } as const
 * cloudEventAttributes(event, { source: 'https://pets.example/v1', typePrefix: 'org.example' }).subject // => '1'
 */
export const cloudEventAttributes = (event: DomainEvent, settings: CloudEventSettings): CloudEventAttributes => {
  const attributes = {
    specversion: '1.0',
    id: event.eventId,
    source: settings.source,
    type: cloudEventType(event._tag, settings),
    subject: eventSubject(event),
    time: instantText(event.time),
    datacontenttype: 'application/json',
  } as const
  return event.traceparent === undefined ? attributes : { ...attributes, traceparent: event.traceparent }
}

const dataJson = matchEvent({ PetCreated: ({ pet }) => petJson(pet) })

/**
 * The event as one JSON text (CloudEvents 1.0, JSON format). The `data` of a `PetCreated` is exactly the API's Pet, with
 * its integers as digits.
 *
 * @example
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * const event = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet } as const
 * const text = cloudEventJson(event, { source: 'https://pets.example/v1', typePrefix: 'org.example' })
 * text.endsWith(',"data":{"id":1,"name":"Rex","categoryId":7}}') // => true
 */
export const cloudEventJson = (event: DomainEvent, settings: CloudEventSettings): string =>
  `${JSON.stringify(cloudEventAttributes(event, settings)).slice(0, -1)},"data":${dataJson(event)}}`
