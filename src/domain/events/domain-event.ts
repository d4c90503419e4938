// The events that the log holds and publishers deliver, with their codecs.
import type * as t from 'io-ts'
import { fromJson } from '../codecs/from-json.js'
import { guarded, Instant, oneOf, Text } from '../codecs/scalar.js'
import { struct } from '../codecs/struct.js'
import { Pet } from '../pets/pet.js'

const TRACE_PARENT = /^00-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/

const isTraceParent = (u: unknown): u is string => typeof u === 'string' && TRACE_PARENT.test(u)

/** The trace of a request (W3C Trace Context), kept with its event. Version 00: trace id, parent span id, flags. */
export const TraceParent = guarded('TraceParent', isTraceParent, 'must be a traceparent of version 00')

/** `eventId` is unique, and the same in every delivery. `traceparent`: that of the request, if any. */
export const PetCreated = struct(
  'PetCreated',
  { _tag: oneOf('_tag', ['PetCreated']), eventId: Text, time: Instant, pet: Pet },
  { traceparent: TraceParent },
)
export type PetCreated = t.TypeOf<typeof PetCreated>

/** The event as JSON text with exact integers. Not a CloudEvent: see `cloudEventFromJson`. */
export const PetCreatedFromJson = fromJson('PetCreatedFromJson', PetCreated)

/** With a second type of event, functions of `PetCreated` do not compile until they take that, too. */
export type DomainEvent = PetCreated

/** The id of the pet. */
export const eventSubject = ({ pet }: PetCreated): string => String(pet.id)

/** The number of the event in the log: the id of its pet. */
export const eventNumber = ({ pet }: PetCreated): number => Number(pet.id)
