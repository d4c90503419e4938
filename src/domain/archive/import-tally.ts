// Counts the outcomes of the records of an import.
import type { MergeResult } from './archive-record.js'
import { COUNTS, type Counted, type Counts } from './archive-record.js'

/** Number of records of one kind by outcome. */
export interface Tally {
  readonly added: number
  readonly unchanged: number
  readonly updated: number
  readonly refused: number
}

export interface Tallies {
  readonly apiKeys: Tally
  readonly pets: Tally
  readonly idempotencyKeys: Tally
}

/** A record that the store refused. */
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
const OUTCOMES = { Added: 'added', Unchanged: 'unchanged', Updated: 'updated', Refused: 'refused' } as const

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

const sizeOf = ({ added, unchanged, updated, refused }: Tally): number => added + unchanged + updated + refused

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
        tallies[COUNTS[record._tag]][OUTCOMES[result._tag]] += 1
        if (result._tag !== 'Refused') return []
        return [{ record: NAMES[record._tag], id: idOf(record), reason: result.reason }]
      }),
  }
}
