// The domain event of a new pet, and its CloudEvents 1.0 form.
import { type Instant, instantText } from './instant.js'
import type { Pet } from './pet.js'
import { petJson } from './pet-json.js'

export interface PetCreated {
  /** Unique, and the same over all retries of its delivery. */
  readonly eventId: string
  readonly time: Instant
  readonly pet: Pet
}

export interface CloudEventSettings {
  /** The public base address, with `/v1`. */
  readonly source: string
  /** Reverse domain name before `.pet.created.v1`. */
  readonly typePrefix: string
}

/**
 * The event's type, which is also its subject where a broker has those.
 *
 * @example
 * petCreatedType({ typePrefix: 'org.example' }) // => 'org.example.pet.created.v1'
 */
export const petCreatedType = ({ typePrefix }: Pick<CloudEventSettings, 'typePrefix'>): string =>
  `${typePrefix}.pet.created.v1`

/**
 * The members of the event's envelope (CloudEvents 1.0 §Context Attributes), `data` aside.
 *
 * @example
 * const event = { eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } }
 * cloudEventAttributes(event, { source: 'https://pets.example/v1', typePrefix: 'org.example' }).subject // => '1'
 */
export const cloudEventAttributes = (event: PetCreated, settings: CloudEventSettings) =>
  ({
    specversion: '1.0',
    id: event.eventId,
    source: settings.source,
    type: petCreatedType(settings),
    subject: String(event.pet.id),
    time: instantText(event.time),
    datacontenttype: 'application/json',
  }) as const

/**
 * The event as one JSON text (CloudEvents 1.0, JSON format); `data` is exactly the API's Pet, integers as digits.
 *
 * @example
 * const event = { eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } }
 * const text = cloudEventJson(event, { source: 'https://pets.example/v1', typePrefix: 'org.example' })
 * text.endsWith(',"data":{"id":1,"name":"Rex","categoryId":7}}') // => true
 */
export const cloudEventJson = (event: PetCreated, settings: CloudEventSettings): string =>
  `${JSON.stringify(cloudEventAttributes(event, settings)).slice(0, -1)},"data":${petJson(event.pet)}}`
