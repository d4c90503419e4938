// Reads a whole store or backup, without changing it, and cross-checks its tables.
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { unusedAfter } from '../../domain/events/relay-record.js'
import { PET_STATUSES, type PetStatus } from '../../domain/pets/pet.js'
import { decodeApiKey } from './api-key-store.js'
import { checkDataFile, DATA_FILE } from './environment/data-file.js'
import { checkFormat } from './environment/folder.js'
import { whileIn } from './environment/pid-namespace.js'
import { findStoredKey, misheld, StoredIdempotencyKey } from './tables/idempotency-key-table.js'
import { countedId, highestStoredId, storedRelay } from './tables/meta-table.js'
import { decodePetRecord, storedEvent } from './tables/pet-table.js'
import { type Root, withRoot } from './tables/root.js'
import { decodeStored } from './tables/stored-json.js'
import { type Entry, entryCount, openTables, type Tables } from './tables/tables.js'

export interface Finding {
  readonly record: 'pet' | 'status index' | 'API key' | 'id counter' | 'idempotency key' | 'relay' | 'data file'
  readonly id: string
  readonly reason: string
}

export interface Verification {
  readonly pets: number
  readonly apiKeys: number
  readonly idempotencyKeys: number
  /** Events that are neither sent nor parked, with the ids among them that no pet received. */
  readonly waiting: number
  readonly parked: number
  /** Number of findings, and the first 1,000 of them. */
  readonly damaged: number
  readonly findings: readonly Finding[]
}

type Findings = Generator<Finding, void>

type Checks = Generator<Findings, void>

/** The counter is a number, and not lower than any pet id. */
function* checkCounter(tables: Tables): Findings {
  const counter = countedId(tables)
  const highest = highestStoredId(tables)
  if (E.isLeft(counter)) yield { record: 'id counter', id: 'counter', reason: counter.left }
  else if (O.getOrElse(() => 0n)(counter.right) < highest) {
    const counted = O.isSome(counter.right) ? `is ${counter.right.value}` : 'is missing'
    yield { record: 'id counter', id: 'counter', reason: `it ${counted}, behind pet ${highest}` }
  }
}

/** A pet can be decoded, and is in the index of its status. */
function* checkPet({ byStatus }: Tables, { key, value }: Entry<number>): Findings {
  const [id, event] = [String(key), decodePetRecord(key, value)]
  if (E.isLeft(event)) {
    yield { record: 'pet', id, reason: event.left }
    return
  }
  const { status } = event.right.pet
  if (status === undefined || byStatus[status].doesExist(key)) return
  yield { record: 'status index', id, reason: `the pet is ${status}, but has no entry in the index \`${status}\`` }
}

/** An entry of an index names a pet with this status. `checkPet` reports pets that cannot be decoded. */
function* checkStatusEntry(tables: Tables, status: PetStatus, id: number): Findings {
  const event = storedEvent(tables, id)
  if (E.isLeft(event)) return
  const found = O.isSome(event.right) ? (event.right.value.pet.status ?? 'without a status') : undefined
  if (found === status) return
  const named = found === undefined ? 'a pet that does not exist' : `a pet that is ${found}`
  yield { record: 'status index', id: String(id), reason: `index \`${status}\` names ${named}` }
}

/** An API key can be decoded, and the store has its successor. */
function* checkApiKey({ apiKeys }: Tables, { key: id, value }: Entry<string>): Findings {
  const key = decodeApiKey(id, value)
  if (E.isLeft(key)) yield { record: 'API key', id, reason: key.left }
  else if (O.isSome(key.right.successor) && !apiKeys.doesExist(key.right.successor.value)) {
    yield { record: 'API key', id, reason: `its successor ${key.right.successor.value} is missing` }
  }
}

/** An idempotency key can be decoded, belongs to its pet, and has its entry in the index `expiries`. */
function* checkIdempotencyKey(tables: Tables, { key, value }: Entry<string[]>): Findings {
  const finding = (reason: string): Finding => ({ record: 'idempotency key', id: key.join(' '), reason })
  const stored = decodeStored(StoredIdempotencyKey, value)
  if (E.isLeft(stored)) {
    yield finding(stored.left)
    return
  }
  const { petId, expiresAt } = stored.right
  const event = storedEvent(tables, petId)
  // `checkPet` reports pets that cannot be decoded
  if (E.isRight(event)) {
    const reason = O.isNone(event.right) ? `its pet ${petId} is missing` : misheld(stored.right, event.right.value)
    if (reason !== undefined) yield finding(reason)
  }
  if (!tables.expiries.doesExist([expiresAt, ...key])) {
    yield finding('it has no entry in the index `expiries`, so it would never be removed')
  }
}

/** An entry of the index `expiries` belongs to an idempotency key. */
function* checkExpiry(tables: Tables, [expiresAt, ...names]: readonly (number | string)[]): Findings {
  const [lineage = '', key = ''] = names.map(String)
  const stored = findStoredKey(tables, { lineage, key })
  if (E.isLeft(stored) || O.exists((held: StoredIdempotencyKey) => held.expiresAt === expiresAt)(stored.right)) return
  const reason = `stale entry at ${expiresAt} in the index \`expiries\``
  yield { record: 'idempotency key', id: `${lineage} ${key}`, reason }
}

function* checkRelay(tables: Tables): Findings {
  const stored = storedRelay(tables)
  if (E.isLeft(stored)) yield { record: 'relay', id: 'record', reason: stored.left }
}

function* checksOf(tables: Tables): Checks {
  yield checkCounter(tables)
  for (const entry of tables.pets.getRange()) yield checkPet(tables, entry)
  for (const status of PET_STATUSES) {
    for (const id of tables.byStatus[status].getKeys()) yield checkStatusEntry(tables, status, id)
  }
  for (const entry of tables.apiKeys.getRange()) yield checkApiKey(tables, entry)
  for (const entry of tables.idempotencyKeys.getRange()) yield checkIdempotencyKey(tables, entry)
  for (const entry of tables.expiries.getKeys()) yield checkExpiry(tables, entry)
  yield checkRelay(tables)
}

const REPORT_EVERY = 1_000
/** Maximum number of findings in a report; the others are only counted. */
const MAX_FINDINGS = 1_000

/** Within one turn of the event loop, in which the binding keeps its snapshot: all tables are read at one instant. */
const verifyTables = (root: Root, advance: (done: number, total: number) => void): Verification => {
  const tables = openTables(root)
  const { byStatus, meta: _, names: __, ...others } = tables
  const sizes = [...Object.values(byStatus), ...Object.values(others)].map(entryCount)
  // the counter of ids and the record of the relay, too
  const total = sizes.reduce((sum, size) => sum + size, 2)
  const findings: Finding[] = []
  let [done, damaged] = [0, 0]
  for (const check of checksOf(tables)) {
    for (const finding of check) {
      damaged += 1
      if (damaged <= MAX_FINDINGS) findings.push(finding)
    }
    done += 1
    if (done % REPORT_EVERY === 0 || done === total) advance(done, total)
  }
  const head = Number(highestStoredId(tables))
  const relay = O.toUndefined(O.flatten(O.fromEither(storedRelay(tables)))) ?? unusedAfter(head)
  return {
    pets: entryCount(tables.pets),
    apiKeys: entryCount(tables.apiKeys),
    idempotencyKeys: entryCount(tables.idempotencyKeys),
    waiting: Math.max(0, head - relay.position) + relay.retry.length,
    parked: relay.parked.length,
    damaged,
    findings,
  }
}

export const unreadable = (directory: string, reason: string): Verification => ({
  ...{ pets: 0, apiKeys: 0, idempotencyKeys: 0, waiting: 0, parked: 0, damaged: 1 },
  findings: [{ record: 'data file', id: join(directory, DATA_FILE), reason }],
})

/** Blocks the event loop. Rejects without a store, or with a newer one. **A damaged page may crash the process: run it in its own.** */
export const verifyStore = async (
  directory: string,
  advance: (done: number, total: number) => void = () => {},
): Promise<Verification> => {
  if (!(await checkFormat(directory))) throw new Error(`there is no store in ${directory}`)
  return whileIn(directory, async () => {
    try {
      checkDataFile(join(directory, DATA_FILE))
      return await withRoot(directory, { readOnly: true }, (root) => verifyTables(root, advance))
    } catch (error) {
      return unreadable(directory, E.toError(error).message)
    }
  })
}
