// The stored form of a pet with its event: flat, with every int64 as text, because JSON numbers would be rounded.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { int64FromPlainText } from '../../../domain/int64.js'
import { PetName, PetStatus } from '../../../domain/pet.js'
import type { PetCreated } from '../../../domain/pet-created.js'
import { struct } from '../../../domain/struct.js'
import { decodeStored, encodeStored, WholeNumber } from './stored-json.js'

const Int64Text = new t.Type<bigint, string, unknown>(
  'Int64Text',
  (u): u is bigint => typeof u === 'bigint',
  (u, context) =>
    pipe(
      typeof u === 'string' ? int64FromPlainText(u) : O.none,
      O.match(() => t.failure(u, context, 'must be the digits of an int64'), t.success),
    ),
  String,
)

const StoredPet = struct(
  'StoredPet',
  { id: Int64Text, name: PetName, categoryId: Int64Text, eventId: t.string, time: WholeNumber },
  { status: PetStatus },
)

export const encodePetRecord = ({ eventId, time, pet }: PetCreated): Buffer =>
  encodeStored(StoredPet, { ...pet, eventId, time })

/** The pet with its event, or the reason why the bytes are damaged or belong to another id. */
export const decodePetRecord = (id: number, bytes: Uint8Array): E.Either<string, PetCreated> =>
  pipe(
    decodeStored(StoredPet, bytes),
    E.filterOrElse(
      (stored) => stored.id === BigInt(id),
      (stored) => `/id: is ${stored.id}`,
    ),
    E.map(({ eventId, time, ...pet }) => ({ _tag: 'PetCreated', eventId, time, pet })),
  )
