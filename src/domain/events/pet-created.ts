// The domain event of a new pet.
import type * as t from 'io-ts'
import { fromJson } from '../codecs/from-json.js'
import { oneOf, Text } from '../codecs/guarded.js'
import { Instant } from '../codecs/instant.js'
import { struct } from '../codecs/struct.js'
import { Pet } from '../pets/pet.js'
import { TraceParent } from './trace-parent.js'

/**
 * A pet was created. Its `eventId` is unique, and the same for every delivery; `traceparent` is that of the request that created
 * the pet, if it had one.
 */
export const PetCreated = struct(
  'PetCreated',
  { _tag: oneOf('_tag', ['PetCreated']), eventId: Text, time: Instant, pet: Pet },
  { traceparent: TraceParent },
)
export type PetCreated = t.TypeOf<typeof PetCreated>

/** The event as JSON text, integers as digits. It is not the CloudEvent, which says more: see `cloudEventFromJson`. */
export const PetCreatedFromJson = fromJson('PetCreatedFromJson', PetCreated)
