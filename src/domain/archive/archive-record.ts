// The contents of a store, as plain records that any store can import.
import type { ApiKey } from '../api-keys/api-key.js'
import { type PetCreated, PetCreatedFromJson } from '../events/domain-event.js'
import type { NumberRange } from '../events/number-ranges.js'
import type { HeldIdempotencyKey } from '../pets/decide-add.js'

/** The state of a store as a whole. */
export interface StoreState {
  readonly _tag: 'StoreState'
  /** The last id that was drawn, whether or not a pet has it. */
  readonly lastId: bigint
}

/** A pet, contained in its event. */
export interface PetArchived {
  readonly _tag: 'Pet'
  readonly event: PetCreated
}

export interface ApiKeyArchived {
  readonly _tag: 'ApiKey'
  readonly key: ApiKey
}

export interface IdempotencyKeyArchived {
  readonly _tag: 'IdempotencyKey'
  /** The pet that holds it. */
  readonly petId: bigint
  /** The id of its event, which tells it from another pet with this id. Exports of earlier versions do not name it. */
  readonly eventId?: string
  readonly key: HeldIdempotencyKey
}

export type ArchiveRecord = StoreState | PetArchived | ApiKeyArchived | IdempotencyKeyArchived

/** The result of merging a record into a store. */
export type MergeResult =
  | { readonly _tag: 'Added' }
  /** The store already has the same record, or does not need it. */
  | { readonly _tag: 'Unchanged' }
  /**
   * The store has an older state of the record, which has been brought up to date. `skipped`: the ids that nobody drew or will draw,
   * because the counter was raised above them; only an import adds pets there.
   */
  | { readonly _tag: 'Updated'; readonly skipped?: NumberRange }
  /** The store has another record in its place, and keeps that one. */
  | { readonly _tag: 'Refused'; readonly reason: string }

/** The records that an export counts. */
export type Counted = Exclude<ArchiveRecord, StoreState>

/** The name of the count of each of them. */
export const COUNTS = { ApiKey: 'apiKeys', Pet: 'pets', IdempotencyKey: 'idempotencyKeys' } as const satisfies Readonly<
  Record<Counted['_tag'], string>
>

/** Numbers of records of each kind. */
export type Counts = Readonly<Record<(typeof COUNTS)[Counted['_tag']], number>>

/** Whether two events are equal in every member. */
export const isSameEvent = (one: PetCreated, other: PetCreated): boolean =>
  PetCreatedFromJson.encode(one) === PetCreatedFromJson.encode(other)

/** Number of records of one kind by result. */
export interface Tally {
  readonly added: number
  readonly unchanged: number
  readonly updated: number
  readonly refused: number
}

export type Tallies = Readonly<Record<keyof Counts, Tally>>

/** A record that the store did not merge. */
export interface Refusal {
  readonly record: 'API key' | 'pet' | 'idempotency key'
  /** An idempotency key is identified by the id of its pet. */
  readonly id: string
  readonly reason: string
}

export interface ImportTally {
  /** Number of records of each kind, including those that wait to be merged. */
  readonly counts: (waiting: readonly Counted[]) => Counts
  /** Number of records that are merged. */
  readonly size: () => number
  readonly tallies: () => Tallies
  /** Counts the results of the records; returns the refusals among them. */
  readonly add: (records: readonly Counted[], results: readonly MergeResult[]) => readonly Refusal[]
}

const NAMES = { ApiKey: 'API key', Pet: 'pet', IdempotencyKey: 'idempotency key' } as const
const COUNTED_AS = { Added: 'added', Unchanged: 'unchanged', Updated: 'updated', Refused: 'refused' } as const

const idOf = (record: Counted): string => {
  switch (record._tag) {
    case 'ApiKey':
      return record.key.id
    case 'Pet':
      return String(record.event.pet.id)
    case 'IdempotencyKey':
      return String(record.petId)
  }
}

const NOTHING: Tally = { added: 0, unchanged: 0, updated: 0, refused: 0 }

const sizeOf = (tally: Tally): number => tally.added + tally.unchanged + tally.updated + tally.refused

export const makeImportTally = (): ImportTally => {
  const tallies = { apiKeys: { ...NOTHING }, pets: { ...NOTHING }, idempotencyKeys: { ...NOTHING } }

  const counts: ImportTally['counts'] = (waiting) => {
    const sizes = {
      apiKeys: sizeOf(tallies.apiKeys),
      pets: sizeOf(tallies.pets),
      idempotencyKeys: sizeOf(tallies.idempotencyKeys),
    }
    for (const record of waiting) sizes[COUNTS[record._tag]] += 1
    return sizes
  }

  return {
    counts,
    size: () => Object.values(counts([])).reduce((sum, size) => sum + size, 0),
    tallies: () => structuredClone(tallies),
    add: (records, results) =>
      records.flatMap((record, at) => {
        const result = results[at]
        if (result === undefined) return []
        tallies[COUNTS[record._tag]][COUNTED_AS[result._tag]] += 1
        if (result._tag !== 'Refused') return []
        return [{ record: NAMES[record._tag], id: idOf(record), reason: result.reason }]
      }),
  }
}
