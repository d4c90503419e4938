// Stored values are JSON in UTF-8. Damage is a value, never an exception.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as t from 'io-ts'
import type { Stored } from '../../../domain/archive/decide-import.js'
import { faultsText } from '../../../domain/codecs/struct.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The value, or why the bytes are damaged. The reason never contains stored data. */
export const decodeStored = <A, O>(codec: t.Type<A, O>, bytes: Uint8Array): E.Either<string, A> =>
  pipe(
    E.tryCatch(
      (): unknown => JSON.parse(utf8.decode(bytes)),
      () => 'is not JSON',
    ),
    E.flatMap((json) => E.mapLeft(faultsText)(codec.decode(json))),
  )

export const storedAs = <A>(bytes: Buffer | undefined, decode: (bytes: Buffer) => E.Either<string, A>): Stored<A> =>
  bytes === undefined ? E.right(O.none) : E.map<A, O.Option<A>>(O.some)(decode(bytes))

export const encodeStored = <A, O>(codec: t.Type<A, O>, value: A): Buffer =>
  Buffer.from(JSON.stringify(codec.encode(value)))
