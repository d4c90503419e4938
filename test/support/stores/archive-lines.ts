import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ArchiveLine } from '../../../src/domain/archive/archive-line.js'
import type { ArchiveRecord, ImportBatch } from '../../../src/domain/archive/archive-record.js'
import type { Unavailable } from '../../../src/domain/errors.js'
import { MAX_PET_ID } from '../../../src/domain/pets/pet.js'
import type { Archive, ArchiveItem } from '../../../src/ports/archive.js'
import { apiKey, character, instant, petCreated, petId, relayRecord } from '../../../src/testing/arbitraries.js'

const text = (): fc.Arbitrary<string> => fc.string({ unit: character() })
const tag = <Tag extends string>(name: Tag) => fc.constant(name)
const plain = { noNullPrototype: true } as const

const archiveRecord = (): fc.Arbitrary<ArchiveRecord> =>
  fc.oneof(
    fc.record({ _tag: tag('StoreState'), lastId: fc.bigInt({ min: 0n, max: MAX_PET_ID }) }, plain),
    fc.record({ _tag: tag('ApiKey'), key: apiKey() }, plain),
    fc.record({ _tag: tag('Pet'), event: petCreated() }, plain),
    fc.record(
      {
        _tag: tag('IdempotencyKey'),
        petId: petId(),
        eventId: text(),
        key: fc.record({ lineage: text(), key: text(), expiresAt: instant() }, plain),
      },
      plain,
    ),
  )

export const archiveLine = (): fc.Arbitrary<ArchiveLine> =>
  fc.oneof(
    { weight: 4, arbitrary: archiveRecord() },
    relayRecord().map(({ position, retry, hasSent }) => ({ _tag: 'Relay' as const, position, retry, hasSent })),
    fc.record({ _tag: tag('Header'), version: fc.nat(), exportedAt: instant() }, plain),
    fc.record({ _tag: tag('End'), apiKeys: fc.nat(), pets: fc.nat(), idempotencyKeys: fc.nat() }, plain),
  )

/** Reads these batches and imports with `add`; `batches` are those that it received. */
export const heldArchive = (
  read: readonly (readonly ArchiveItem[] | Unavailable)[],
  add: (batch: ImportBatch) => ReturnType<Archive['add']> = ({ records }) => TE.right(records),
) => {
  const batches: ImportBatch[] = []
  const isFailure = (value: object): value is Unavailable => '_tag' in value && value._tag === 'Unavailable'
  const archive: Archive = {
    read: async function* () {
      for (const batch of read) yield isFailure(batch) ? E.left(batch) : E.right(batch)
    },
    add: (batch) => {
      batches.push(batch)
      return add(batch)
    },
  }
  return { batches, archive }
}

export type HeldArchive = ReturnType<typeof heldArchive>

export const collect = async <A>(values: AsyncIterable<A>): Promise<readonly A[]> => {
  const all: A[] = []
  for await (const value of values) all.push(value)
  return all
}
