// Domain events as CloudEvents 1.0: a writer for publishers and a decoder for consumers.
import * as E from 'fp-ts/lib/Either.js'
import * as R from 'fp-ts/lib/Record.js'
import * as t from 'io-ts'
import { InstantFromString, instantText, oneOf, Text } from '../codecs/scalar.js'
import { type Fault, faultsOf, struct } from '../codecs/struct.js'
import { parseJson } from '../json/parse-json.js'
import { Pet, petJson } from '../pets/pet.js'
import { type DomainEvent, eventSubject, type PetCreated, TraceParent } from './domain-event.js'

export interface CloudEventSettings {
  /** The public base address, with `/v1`. */
  readonly source: string
  /** Reverse domain name that precedes `.pet.created.v1`. */
  readonly typePrefix: string
}

type TypeSettings = Pick<CloudEventSettings, 'typePrefix'>
/** Types without their prefix. */
const TYPES: Readonly<Record<DomainEvent['_tag'], string>> = { PetCreated: 'pet.created.v1' }
const TAGS = R.keys(TYPES)

/**
 * The type of an event; also its subject on brokers with subjects.
 *
 * @example
 * cloudEventType('PetCreated', { typePrefix: 'org.example' }) // => 'org.example.pet.created.v1'
 */
export const cloudEventType = (tag: DomainEvent['_tag'], { typePrefix }: TypeSettings): string =>
  `${typePrefix}.${TYPES[tag]}`

export const cloudEventTypes = (settings: TypeSettings): readonly string[] =>
  TAGS.map((tag) => cloudEventType(tag, settings))

/** The attributes of the event, without `data` (CloudEvents 1.0, Context Attributes; Distributed Tracing extension). */
const attributesOf = (event: DomainEvent, settings: CloudEventSettings) => ({
  specversion: '1.0',
  id: event.eventId,
  source: settings.source,
  type: cloudEventType(event._tag, settings),
  subject: eventSubject(event),
  time: instantText(event.time),
  datacontenttype: 'application/json',
  // omitted if undefined
  traceparent: event.traceparent,
})

// of `PetCreated`, so that a second type of event does not compile until it has data
const dataJson = ({ pet }: PetCreated): string => petJson(pet)

/** The event in the JSON format of CloudEvents 1.0. Its `data` is the JSON of the pet as in the API. */
export const cloudEventJson = (event: DomainEvent, settings: CloudEventSettings): string =>
  `${JSON.stringify(attributesOf(event, settings)).slice(0, -1)},"data":${dataJson(event)}}`

/** An event, and the service that published it. */
export interface ReceivedEvent {
  readonly event: DomainEvent
  readonly settings: CloudEventSettings
}

const Envelope = struct(
  'CloudEvent',
  {
    specversion: oneOf('specversion', ['1.0']),
    id: Text,
    source: Text,
    type: Text,
    subject: Text,
    time: InstantFromString,
    data: Pet,
  },
  { traceparent: t.unknown },
)

/**
 * Decodes a message without loss of digits: the inverse of `cloudEventJson`. Unknown members are ignored.
 *
 * @example
 * const event = { _tag: 'PetCreated', eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: MAX_INT64 } } as const
 * const settings = { source: 'https://pets.example/v1', typePrefix: 'org.example' }
 * cloudEventFromJson(cloudEventJson(event, settings)) // => E.right({ event, settings })
 */
export const cloudEventFromJson = (text: string): E.Either<readonly Fault[], ReceivedEvent> => {
  const json = parseJson(text)
  if (E.isLeft(json)) return E.left([{ pointer: '', reason: `must be a JSON text: ${json.left.reason}` }])
  const envelope = Envelope.decode(json.right)
  if (E.isLeft(envelope)) return E.left(faultsOf(envelope.left))
  const { id: eventId, source, type, subject, time, data: pet, traceparent } = envelope.right
  const tag = TAGS.find((tag) => type.endsWith(`.${TYPES[tag]}`))
  if (tag === undefined)
    return E.left([{ pointer: '/type', reason: `must end with .${Object.values(TYPES).join(' or .')}` }])
  // an invalid or newer traceparent must not make the event unreadable
  const trace = TraceParent.is(traceparent) ? { traceparent } : {}
  // a new type of event does not compile until it is distinguished here
  const event: DomainEvent = { _tag: tag, eventId, time, pet, ...trace }
  const wanted = eventSubject(event)
  if (subject !== wanted) return E.left([{ pointer: '/subject', reason: `must be ${wanted}` }])
  return E.right({ event, settings: { source, typePrefix: type.slice(0, -1 - TYPES[tag].length) } })
}
