// fast-check generators of the domain's values: plain objects, as the codecs return them.
import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import { type ApiKey, SCOPES } from '../domain/api-keys/api-key.js'
import { MAX_INT64, MIN_INT64 } from '../domain/codecs/scalar.js'
import type { DomainEvent, PetCreated } from '../domain/events/domain-event.js'
import type { RelayRecord } from '../domain/events/relay-record.js'
import {
  MAX_NAME_LENGTH,
  MAX_PET_ID,
  type NewPet,
  PET_STATUSES,
  type Pet,
  type PetStatus,
  REQUIRED_MEMBERS,
} from '../domain/pets/pet.js'
import { Limit, MAX_LIMIT, MIN_LIMIT, type PetFilter } from '../domain/pets/pet-query.js'

/** Any int64, with a bias to the extremes and the limits of exact doubles. */
export const int64 = (): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc.bigInt({ min: MIN_INT64, max: MAX_INT64 }),
    fc.constantFrom(MIN_INT64, MAX_INT64, 0n, -1n, MAX_PET_ID, MAX_PET_ID + 2n, -MAX_PET_ID - 2n),
  )

/** Any id that the service may assign. */
export const petId = (): fc.Arbitrary<bigint> => fc.bigInt({ min: 1n, max: MAX_PET_ID })

export const limit = (): fc.Arbitrary<Limit> => fc.integer({ min: MIN_LIMIT, max: MAX_LIMIT }).filter(Limit.is)

export const petStatus = (): fc.Arbitrary<PetStatus> => fc.constantFrom(...PET_STATUSES)

// fast-check's own `unit: 'binary'` takes a second of CPU on first use
const codePoint = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((value) => String.fromCodePoint(value))

/** Any Unicode character, such as NUL, quotes, combining and astral characters, but no lone surrogates. */
export const character = (): fc.Arbitrary<string> =>
  fc.oneof(codePoint(0, 0x7f), codePoint(0, 0xd7ff), codePoint(0xe000, 0x10ffff))

export const petName = (): fc.Arbitrary<string> =>
  fc.string({ unit: character(), minLength: 1, maxLength: MAX_NAME_LENGTH }).filter((name) => /\S/u.test(name))

const plain = { noNullPrototype: true } as const

/** A new member of a pet does not compile until it has a generator. */
const MEMBERS: { readonly [Member in keyof Required<NewPet>]: fc.Arbitrary<Required<NewPet>[Member]> } = {
  name: petName(),
  categoryId: int64(),
  status: petStatus(),
}
const REQUIRED = R.keys(REQUIRED_MEMBERS)

export const newPet = (): fc.Arbitrary<NewPet> => fc.record(MEMBERS, { ...plain, requiredKeys: REQUIRED })

export const pet = (): fc.Arbitrary<Pet> =>
  fc.record({ id: petId(), ...MEMBERS }, { ...plain, requiredKeys: ['id', ...REQUIRED] })

/** Milliseconds since 1970, up to the year 9999. */
export const instant = (): fc.Arbitrary<number> => fc.integer({ min: 0, max: 253_402_300_799_999 })

/** A valid traceparent of W3C Trace Context: its ids are not all zeros. */
const traceparent = (): fc.Arbitrary<string> =>
  fc.stringMatching(/^00-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/).filter((text) => !/-0+-/.test(text))

export const petCreated = (): fc.Arbitrary<PetCreated> =>
  fc.record(
    {
      _tag: fc.constant('PetCreated' as const),
      eventId: fc.uuid(),
      time: instant(),
      pet: pet(),
      traceparent: traceparent(),
    },
    { ...plain, requiredKeys: ['_tag', 'eventId', 'time', 'pet'] },
  )

/** A new type of event does not compile until it has a generator here. */
const EVENTS: { readonly [E in DomainEvent as E['_tag']]: fc.Arbitrary<E> } = { PetCreated: petCreated() }

export const domainEvent = (): fc.Arbitrary<DomainEvent> => fc.oneof(...Object.values(EVENTS))

const option = <A>(some: fc.Arbitrary<A>): fc.Arbitrary<O.Option<A>> => fc.option(some).map(O.fromNullable)

/** Any filter; if pets are given, mostly one that matches some of them. */
export const petFilter = (pets: readonly Pet[] = []): fc.Arbitrary<PetFilter> => {
  const id = fc.oneof(int64(), ...pets.map((known) => fc.constant(known.id)))
  const ids = fc.array(id, { minLength: 1, maxLength: 5 })
  return fc.record({ status: option(petStatus()), ids: option(ids) }, plain)
}

const apiKeyId = () => fc.stringMatching(/^[\dA-Za-z]{11}$/)

export const apiKey = (): fc.Arbitrary<ApiKey> =>
  fc.record(
    {
      id: apiKeyId(),
      name: option(fc.string({ unit: character(), minLength: 1 })),
      scopes: fc.subarray([...SCOPES], { minLength: 1 }),
      hash: fc.stringMatching(/^[\da-f]{64}$/),
      createdAt: instant(),
      expiresAt: option(instant()),
      revokedAt: option(instant()),
      lastUsedAt: option(instant()),
      successor: option(apiKeyId()),
      lineage: apiKeyId(),
    },
    plain,
  )

const eventNumber = () =>
  fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }))

export const relayRecord = (): fc.Arbitrary<RelayRecord> =>
  fc.record(
    {
      position: fc.maxSafeNat(),
      retry: fc.uniqueArray(eventNumber(), { maxLength: 8 }).map((all) => all.sort((one, other) => one - other)),
      parked: fc.array(fc.record({ number: eventNumber(), reason: fc.string({ unit: character() }) }, plain), {
        maxLength: 4,
      }),
      hasSent: fc.boolean(),
      leaseMs: fc.nat(),
      version: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      holder: fc.uuid(),
      attempts: fc.record({ number: eventNumber(), count: fc.integer({ min: 1, max: 9 }) }, plain),
    },
    { ...plain, requiredKeys: ['position', 'retry', 'parked', 'hasSent', 'leaseMs', 'version'] },
  )
