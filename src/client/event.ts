// The events of the service, as CloudEvents in JSON with exact integers.
import { isObject, type Pet, petOf } from './pet.js'

/** A pet was added. */
export interface PetCreated {
  /** Where to continue after this event: pass it as `after`. Opaque. */
  readonly position: string
  /** The same each time this event is delivered, by whatever way. */
  readonly id: string
  /** The base address of the service. */
  readonly source: string
  readonly type: string
  /** When the pet was added (RFC 3339). */
  readonly time: string
  readonly pet: Pet
}

const KNOWN = '.pet.created.v1'

/** `other` is an event of a type that is newer than this client; undefined is no event. */
export const eventOf = (value: unknown, position: string): PetCreated | 'other' | undefined => {
  if (!isObject(value)) return undefined
  const { id, source, type, time } = value
  if (typeof type !== 'string') return undefined
  if (!type.endsWith(KNOWN)) return 'other'
  const pet = petOf(value['data'])
  const isComplete = typeof id === 'string' && typeof source === 'string' && typeof time === 'string'
  return isComplete && pet !== undefined ? { position, id, source, type, time, pet } : undefined
}
