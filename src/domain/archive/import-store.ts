// Imports the lines of an export into a store without pets. After an interruption, it can be run again.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as R from 'fp-ts/lib/Record.js'
import type { Ports } from '../../ports/index.js'
import type { ApiKey } from '../api-keys/api-key.js'
import type { Unavailable } from '../errors.js'
import { changeRelay } from '../events/backlog.js'
import { type RelayRecord, unusedAfter } from '../events/relay-record.js'
import type { PetRecord } from '../pets/decide-add.js'
import { ALL_PETS } from '../pets/pet-query.js'
import { type ArchiveLine, archiveLineFrom, EXPORT_VERSION } from './archive-line.js'
import type { Restored } from './decide-restore.js'
import { type Counts, withRecord } from './export-store.js'

/** Records restored at once; they share commits. */
const BATCH = 500

/** The first line that is invalid, missing, or different in the store. Nothing was overwritten. */
export interface LineRefused {
  readonly _tag: 'LineRefused'
  /** Counted from 1. */
  readonly line: number
  readonly reason: string
}

type ImportFailure = Unavailable | LineRefused

export interface ImportProgress {
  readonly read: Counts
  /** The others were stored already. */
  readonly added: Counts
}

const NOTHING: Counts = { apiKeys: 0, pets: 0, idempotencyKeys: 0 }

const ownPets = (which: string): string => `the store has ${which} of its own: an import fills a store without pets`

/** The member in which the stored key differs. Compares all, so that new ones are included. */
const differenceOf = (key: ApiKey, stored: ApiKey): keyof ApiKey | undefined =>
  R.keys(key).find((name) => name !== 'lastUsedAt' && JSON.stringify(key[name]) !== JSON.stringify(stored[name]))

/** Takes lines, or reasons why they cannot be read. Yields progress after each batch; a failure is the last element. */
export const importStore = (ports: Pick<Ports, 'archive' | 'pets' | 'apiKeys' | 'relay'>) =>
  async function* (
    lines: AsyncIterable<E.Either<string, string>>,
  ): AsyncGenerator<E.Either<ImportFailure, ImportProgress>> {
    const { archive, apiKeys } = ports
    let [line, lastId, lastPet, isEnded] = [0, 0n, 0n, false]
    let [read, added] = [NOTHING, NOTHING]
    let batch: { readonly record: PetRecord; readonly line: number }[] = []
    let relayed: Pick<RelayRecord, 'position' | 'retry' | 'hasSent'> | undefined
    const refused = (reason: string, at = line): E.Either<LineRefused, never> =>
      E.left({ _tag: 'LineRefused', line: at, reason })

    const restoreAll = async (): Promise<E.Either<ImportFailure, ImportProgress>> => {
      const restoring = batch.map(async (one) => ({ ...one, result: await archive.restore(one.record)() }))
      batch = []
      for (const { record, line: place, result } of await Promise.all(restoring)) {
        if (E.isLeft(result)) return result
        if (result.right === 'different')
          return refused(`the store has another record with the id ${record.event.pet.id}`, place)
        if (result.right === 'added') added = withRecord(added, record)
      }
      return E.right({ read, added })
    }

    const restoreKey = async (key: ApiKey): Promise<E.Either<ImportFailure, Restored>> => {
      const found = await apiKeys.find(key.id)()
      if (E.isLeft(found)) return found
      if (O.isNone(found.right)) return E.map((): Restored => 'added')(await apiKeys.add(key)())
      const difference = differenceOf(key, found.right.value)
      return difference === undefined
        ? E.right('unchanged')
        : refused(`the store has another API key with the id ${key.id}: its ${difference} differs`)
    }

    const finish = async (): Promise<E.Either<ImportFailure, void>> => {
      const count = await ports.pets.count(ALL_PETS)()
      if (E.isLeft(count)) return count
      if (count.right !== read.pets) return refused(ownPets(`${count.right - read.pets} pets`))
      const last = lastId > lastPet ? lastId : lastPet
      const ended = await archive.end(last)()
      if (E.isLeft(ended) || relayed === undefined) return ended
      // lowered if the exported store had lost its last id: otherwise the relay would skip the next events
      const sent = { ...relayed, position: Math.min(relayed.position, Number(last)) }
      // unchanged if the import had ended before, because the relay may have worked since then
      const change = (record: RelayRecord) =>
        record.version > 0 && added.pets === 0 ? undefined : { ...record, ...sent }
      return changeRelay(ports, change, unusedAfter(sent.position))
    }

    /** The first pet of a store tells an earlier, cut import from any other store. */
    const checkFirst = async (first: PetRecord): Promise<E.Either<ImportFailure, unknown>> => {
      const page = await archive.read(0n)()
      if (E.isLeft(page)) return page
      const [lowest = first] = page.right.records
      const isOther = page.right.damaged.length > 0 || lowest.event.pet.id !== first.event.pet.id
      return isOther ? refused(ownPets('pets')) : E.right(undefined)
    }

    const take = async (found: ArchiveLine): Promise<E.Either<ImportFailure, unknown>> => {
      switch (found._tag) {
        case 'Header':
          lastId = found.lastId
          return E.right(undefined)
        case 'Relay':
          relayed = { position: found.position, retry: found.retry, hasSent: found.hasSent }
          return E.right(undefined)
        case 'ApiKey': {
          const restored = await restoreKey(found.key)
          read = { ...read, apiKeys: read.apiKeys + 1 }
          if (E.isRight(restored) && restored.right === 'added') added = { ...added, apiKeys: added.apiKeys + 1 }
          return restored
        }
        case 'PetCreated': {
          const { _tag, ...record } = found
          const [before, { id }] = [lastPet, record.event.pet]
          if (id <= before) return refused(`the pet ${id} comes after the pet ${before}`)
          const checked = before === 0n ? await checkFirst(record) : E.right(undefined)
          if (E.isLeft(checked)) return checked
          lastPet = id
          read = withRecord(read, record)
          batch.push({ record, line })
          // alone, so that a cut import has it in any case
          return before === 0n ? restoreAll() : E.right(undefined)
        }
        case 'End': {
          const restored = await restoreAll()
          if (E.isLeft(restored)) return restored
          isEnded = true
          return finish()
        }
      }
    }

    const placed = (found: ArchiveLine): E.Either<string, ArchiveLine> => {
      if (isEnded) return E.left('it comes after the end of the export')
      if ((line === 1) !== (found._tag === 'Header'))
        return E.left(line === 1 ? 'it is not the header of an export' : 'it is a second header')
      if (found._tag === 'Header' && found.version !== EXPORT_VERSION)
        return E.left(`it is of format version ${found.version}; this program reads version ${EXPORT_VERSION}`)
      if (found._tag !== 'End' || (found.records === read.pets && found.apiKeys === read.apiKeys)) return E.right(found)
      const counted = `it counts ${found.apiKeys} API keys and ${found.records} records`
      return E.left(`lines are missing before it: ${counted}, there are ${read.apiKeys} and ${read.pets}`)
    }

    for await (const text of lines) {
      line += 1
      const found = E.flatMap(placed)(E.flatMap(archiveLineFrom)(text))
      const taken = E.isLeft(found) ? refused(found.left) : await take(found.right)
      if (E.isRight(taken) && batch.length < BATCH && !isEnded) continue
      const progress = await restoreAll()
      yield progress
      if (E.isLeft(progress)) return
      if (E.isLeft(taken)) {
        yield taken
        return
      }
    }
    if (isEnded) return
    const progress = await restoreAll()
    yield progress
    if (E.isLeft(progress)) return
    line += 1
    yield refused('the export ends before its last line: it was cut off')
  }
