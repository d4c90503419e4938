// Decodes published CloudEvents, for consumers.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { fromJson } from '../codecs/from-json.js'
import { oneOf, Text } from '../codecs/guarded.js'
import { InstantFromString } from '../codecs/instant.js'
import { type Fault, faultsOf, struct } from '../codecs/struct.js'
import { Pet } from '../pets/pet.js'
import { type CloudEventSettings, TYPES } from './cloud-event.js'
import { type DomainEvent, eventSubject, TraceParent } from './domain-event.js'

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
  t.identity,
)

const PetCreatedEvent = struct(
  'CloudEvent',
  {
    specversion: oneOf('specversion', ['1.0']),
    id: Text,
    source: Text,
    type: prefixOf(TYPES.PetCreated),
    subject: Text,
    time: InstantFromString,
    data: Pet,
  },
  { traceparent: TraceParentIfValid },
)

const PetCreatedFromJson = fromJson('CloudEventFromJson', PetCreatedEvent)

const checkedSubject = (subject: string, received: ReceivedEvent): E.Either<readonly Fault[], ReceivedEvent> =>
  subject === eventSubject(received.event)
    ? E.right(received)
    : E.left([{ pointer: '/subject', reason: `must be ${eventSubject(received.event)}` }])

type Decode = (text: string) => E.Either<readonly Fault[], ReceivedEvent>

const decodePetCreated: Decode = (text) =>
  pipe(
    PetCreatedFromJson.decode(text),
    E.mapLeft(faultsOf),
    E.flatMap(({ id, source, type, subject, time, data, traceparent }) =>
      checkedSubject(subject, {
        event: {
          _tag: 'PetCreated',
          eventId: id,
          time,
          pet: data,
          ...(traceparent !== undefined && { traceparent }),
        },
        settings: { source, typePrefix: type },
      }),
    ),
  )

/** A new event does not compile until consumers can decode it. If no decoder accepts a text, the last one names the faults. */
const DECODERS: Readonly<Record<DomainEvent['_tag'], Decode>> = { PetCreated: decodePetCreated }

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
  Object.values(DECODERS).reduce<ReturnType<Decode>>(
    (received, decode) =>
      pipe(
        received,
        E.orElse(() => decode(text)),
      ),
    E.left([]),
  )
