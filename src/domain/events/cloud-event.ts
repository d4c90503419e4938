// The CloudEvents 1.0 form of domain events: its writer for publishers, and its decoder for consumers.
import * as E from 'fp-ts/lib/Either.js'
import { identity, pipe } from 'fp-ts/lib/function.js'
import * as R from 'fp-ts/lib/Record.js'
import * as t from 'io-ts'
import { fromJson } from '../codecs/from-json.js'
import { InstantFromString, instantText, oneOf, Text } from '../codecs/scalar.js'
import { type Fault, faultsOf, struct } from '../codecs/struct.js'
import { Pet, petJson } from '../pets/pet.js'
import { type DomainEvent, eventSubject, matchEvent, TraceParent } from './domain-event.js'

export interface CloudEventSettings {
  /** The public base address, with `/v1`. */
  readonly source: string
  /** Reverse domain name that precedes `.pet.created.v1`. */
  readonly typePrefix: string
}

type TypeSettings = Pick<CloudEventSettings, 'typePrefix'>
/** The types without their prefix. */
const TYPES: Readonly<Record<DomainEvent['_tag'], string>> = { PetCreated: 'pet.created.v1' }

/**
 * The type of an event, and its subject on brokers that have subjects.
 *
 * @example
 * cloudEventType('PetCreated', { typePrefix: 'org.example' }) // => 'org.example.pet.created.v1'
 */
export const cloudEventType = (tag: DomainEvent['_tag'], { typePrefix }: TypeSettings): string =>
  `${typePrefix}.${TYPES[tag]}`

/** The types of all events. */
export const cloudEventTypes = ({ typePrefix }: TypeSettings): readonly string[] =>
  Object.values(TYPES).map((type) => `${typePrefix}.${type}`)

/** The attributes of the event, without `data` (CloudEvents 1.0, Context Attributes; Distributed Tracing extension). */
const attributesOf = (event: DomainEvent, settings: CloudEventSettings) => ({
  specversion: '1.0',
  id: event.eventId,
  source: settings.source,
  type: cloudEventType(event._tag, settings),
  subject: eventSubject(event),
  time: instantText(event.time),
  datacontenttype: 'application/json',
  // undefined is not written
  traceparent: event.traceparent,
})

const dataJson = matchEvent({ PetCreated: ({ pet }) => petJson(pet) })

/** The event in the JSON format of CloudEvents 1.0. Its `data` is exactly the text of the pet in the API. */
export const cloudEventJson = (event: DomainEvent, settings: CloudEventSettings): string =>
  `${JSON.stringify(attributesOf(event, settings)).slice(0, -1)},"data":${dataJson(event)}}`

/** An event, and the service that published it. */
export interface ReceivedEvent {
  readonly event: DomainEvent
  readonly settings: CloudEventSettings
}

/** The prefix of a type that ends like this one. */
const prefixOf = (name: string) =>
  new t.Type<string, string, unknown>(
    'type',
    t.string.is,
    (u, context) =>
      typeof u === 'string' && u.endsWith(`.${name}`)
        ? t.success(u.slice(0, -name.length - 1))
        : t.failure(u, context, `must end with .${name}`),
    (prefix) => `${prefix}.${name}`,
  )

/** A malformed traceparent, or one of a later version, is dropped: it must not make the event unreadable. */
const TraceParentIfValid = new t.Type<string | undefined, string | undefined, unknown>(
  'TraceParentIfValid',
  t.union([TraceParent, t.undefined]).is,
  (u) => t.success(TraceParent.is(u) ? u : undefined),
  identity,
)

/** An event with the subject that its envelope names. */
interface Decoded extends ReceivedEvent {
  readonly subject: string
}

/** The members of every envelope; `type` is decoded to its prefix. */
const envelopeOf = (type: string) => ({
  specversion: oneOf('specversion', ['1.0']),
  id: Text,
  source: Text,
  type: prefixOf(type),
  subject: Text,
  time: InstantFromString,
})

const PetCreatedEnvelope = fromJson(
  'PetCreatedEnvelope',
  struct('CloudEvent', { ...envelopeOf(TYPES.PetCreated), data: Pet }, { traceparent: TraceParentIfValid }),
)

/** By the type of the event: a new one does not compile until consumers can decode it. */
const DECODERS: { readonly [Tag in DomainEvent['_tag']]: (text: string) => t.Validation<Decoded> } = {
  PetCreated: (text) =>
    E.map(
      ({ id: eventId, source, type: typePrefix, subject, time, data: pet, traceparent }: Envelope): Decoded => ({
        event: { _tag: 'PetCreated', eventId, time, pet, ...(traceparent && { traceparent }) },
        settings: { source, typePrefix },
        subject,
      }),
    )(PetCreatedEnvelope.decode(text)),
}

type Envelope = t.TypeOf<typeof PetCreatedEnvelope>

const TypeFromJson = fromJson('TypeFromJson', struct('CloudEvent', { type: Text }, {}))

/** The decoder for the type that the message names; for an unknown type the first, whose fault names the type. */
const decoderOf = (text: string) => {
  const named = TypeFromJson.decode(text)
  const isNamed = (tag: DomainEvent['_tag']): boolean => E.isRight(named) && named.right.type.endsWith(`.${TYPES[tag]}`)
  return DECODERS[R.keys(TYPES).find(isNamed) ?? 'PetCreated']
}

/**
 * The event of a message, exact to the last digit: the inverse of `cloudEventJson`. Members that this version does not know are
 * ignored.
 *
 * @example
 * const event = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: MAX_INT64 } } as const
 * const settings = { source: 'https://pets.example/v1', typePrefix: 'org.example' }
 * cloudEventFromJson(cloudEventJson(event, settings)) // => E.right({ event, settings })
 */
export const cloudEventFromJson = (text: string): E.Either<readonly Fault[], ReceivedEvent> =>
  pipe(
    decoderOf(text)(text),
    E.mapLeft(faultsOf),
    E.flatMap(({ subject, ...received }) => {
      const wanted = eventSubject(received.event)
      return subject === wanted ? E.right(received) : E.left([{ pointer: '/subject', reason: `must be ${wanted}` }])
    }),
  )
