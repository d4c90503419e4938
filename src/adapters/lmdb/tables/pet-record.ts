// The stored form of a pet with its event: flat, with every int64 as text, because JSON numbers would be rounded.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { Instant } from '../../../domain/codecs/instant.js'
import { Int64FromString } from '../../../domain/codecs/int64.js'
import { struct } from '../../../domain/codecs/struct.js'
import { Text } from '../../../domain/codecs/text.js'
import type { PetCreated } from '../../../domain/events/pet-created.js'
import { TraceParent } from '../../../domain/events/trace-parent.js'
import { PetName, PetStatus } from '../../../domain/pets/pet.js'
import { decodeStored, encodeStored } from './stored-json.js'

const StoredPet = struct(
  'StoredPet',
  { id: Int64FromString, name: PetName, categoryId: Int64FromString, eventId: Text, time: Instant },
  { status: PetStatus, traceparent: TraceParent },
)

export const encodePetRecord = ({ eventId, time, pet, traceparent }: PetCreated): Buffer => {
  const stored = { ...pet, eventId, time }
  return encodeStored(StoredPet, traceparent === undefined ? stored : { ...stored, traceparent })
}

/** The pet with its event, or the reason why the bytes are damaged or belong to another id. */
export const decodePetRecord = (id: number, bytes: Uint8Array): E.Either<string, PetCreated> =>
  pipe(
    decodeStored(StoredPet, bytes),
    E.filterOrElse(
      (stored) => stored.id === BigInt(id),
      (stored) => `/id: is ${stored.id}`,
    ),
    E.map(({ eventId, time, traceparent, ...pet }) => {
      const event = { _tag: 'PetCreated', eventId, time, pet } as const
      return traceparent === undefined ? event : { ...event, traceparent }
    }),
  )
