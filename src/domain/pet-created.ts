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

/** The event's type, which is also its subject where a broker has those. */
export const petCreatedType = ({ typePrefix }: Pick<CloudEventSettings, 'typePrefix'>): string =>
  `${typePrefix}.pet.created.v1`

/** The members of the event's envelope (CloudEvents 1.0 §Context Attributes), `data` aside. */
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

/** The event as one JSON text (CloudEvents 1.0, JSON format); `data` is exactly the API's Pet, integers as digits. */
export const cloudEventJson = (event: PetCreated, settings: CloudEventSettings): string =>
  `${JSON.stringify(cloudEventAttributes(event, settings)).slice(0, -1)},"data":${petJson(event.pet)}}`
