import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ArchiveLine } from '../../../src/domain/archive/archive-line.js'
import { decideRestore } from '../../../src/domain/archive/decide-restore.js'
import type { PetRecord } from '../../../src/domain/pets/decide-add.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import type { Archive } from '../../../src/ports/archive.js'
import type { Damage } from '../../../src/ports/notice.js'
import { apiKey, character, instant, petCreated, relayRecord } from '../../../src/testing/arbitraries.js'

const text = (): fc.Arbitrary<string> => fc.string({ unit: character() })
const tag = <Tag extends string>(name: Tag) => fc.constant(name)
const plain = { noNullPrototype: true } as const
const lastId = () => fc.bigInt({ min: 0n, max: MAX_PET_ID })

const heldKey = () => fc.record({ lineage: text(), key: text(), expiresAt: instant() }, plain)

export const archiveLine = (): fc.Arbitrary<ArchiveLine> =>
  fc.oneof(
    fc.record({ _tag: tag('ApiKey'), key: apiKey() }, plain),
    fc.record(
      {
        _tag: tag('PetCreated'),
        event: petCreated(),
        idempotencyKey: fc.oneof(fc.constant(O.none), heldKey().map(O.some)),
      },
      plain,
    ),
    relayRecord().map(({ position, retry, hasSent }) => ({ _tag: 'Relay' as const, position, retry, hasSent })),
    fc.record({ _tag: tag('Header'), version: fc.nat(), exportedAt: instant(), lastId: lastId() }, plain),
    fc.record({ _tag: tag('End'), apiKeys: fc.nat(), records: fc.nat() }, plain),
  )

/** An archive in memory, with the ids that ended imports. Pages have two records. */
export const heldArchive = (records: readonly PetRecord[] = [], damaged: readonly Damage[] = []) => {
  const stored = new Map(records.map((record) => [record.event.pet.id, record]))
  const ends: bigint[] = []
  const archive: Archive = {
    lastId: TE.right(9n),
    read: (after) =>
      TE.fromIO(() => {
        const later = [...stored.values()].filter(({ event }) => event.pet.id > after)
        return {
          records: later.slice(0, 2),
          damaged: after === 0n ? damaged : [],
          next: later.length > 2 ? O.fromNullable(later[1]?.event.pet.id) : O.none,
        }
      }),
    restore: (record) =>
      TE.fromIO(() => {
        const { id } = record.event.pet
        const found = O.fromNullable(stored.get(id))
        const restored = decideRestore(record.event, O.map(({ event }: PetRecord) => E.right(event))(found))
        if (restored === 'added') stored.set(id, record)
        return restored
      }),
    end: (id) => TE.fromIO(() => void ends.push(id)),
  }
  return { archive, ends, records: () => [...stored.values()] }
}

export const collect = async <A>(values: AsyncIterable<A>): Promise<readonly A[]> => {
  const all: A[] = []
  for await (const value of values) all.push(value)
  return all
}
