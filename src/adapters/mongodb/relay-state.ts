// The record of the relay, in one document that all instances share; its first one continues what earlier versions have left.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Db, Document } from 'mongodb'
import { unavailable } from '../../domain/errors.js'
import { unusedAtEnd } from '../../domain/events/backlog.js'
import { rangesOf } from '../../domain/events/number-ranges.js'
import {
  joinedWith,
  MAX_REASON_LENGTH,
  nextVersion,
  type RelayPosition,
  RelayRecord,
} from '../../domain/events/relay-record.js'
import type { EventLog, RelayState } from '../../ports/event-log.js'
import type { Database } from './connection/client.js'
import { ifDuplicateKey, repeatStep } from './connection/commands.js'
import { orThrow, type StoreContext } from './connection/connection.js'
import { decodeAs } from './documents/decoding.js'
import { PETS, petsIn } from './documents/pet-document.js'
import { COUNTER, countersIn } from './id-counter.js'
import { LOG, logsIn } from './log/final-numbers.js'

/** Pets of an earlier version whose events were not sent: the state is a member of the pet's document. */
const UNSENT = { 'unsent.parked': { $exists: true } }

const unsentIn = async (database: Db): Promise<Omit<RelayPosition, 'hasSent'>> => {
  const ids: number[] = []
  const parked: { readonly number: number; readonly reason: string }[] = []
  const projection = { 'unsent.parked': 1, 'unsent.reason': 1 }
  const pets = database.collection<{ readonly unsent: { readonly parked?: unknown; readonly reason?: unknown } }>(PETS)
  for await (const { _id, unsent } of pets.find(UNSENT, { projection, batchSize: 10_000 })) {
    const number = Number(_id)
    if (!Number.isSafeInteger(number) || number < 1) continue
    // a state that cannot be decoded counts as waiting, because a lost event is worse than one sent twice
    if (unsent.parked === true) {
      const reason = typeof unsent.reason === 'string' ? unsent.reason.slice(0, MAX_REASON_LENGTH) : ''
      parked.push({ number, reason })
    } else ids.push(number)
  }
  ids.sort((one, other) => one - other)
  return { pending: rangesOf(ids), parked }
}

/** Whether no event is unsent. Scans all pets where no index helps, so the result is kept. */
const hasNoUnsent = async (database: Db): Promise<boolean> => {
  if ((await repeatStep(() => petsIn(database).findOne(UNSENT, { projection: { _id: 1 } }))) !== null) return false
  await repeatStep(() => logsIn(database).updateOne({ _id: LOG }, { $set: { isNew: true } }))
  return true
}

/**
 * The record that continues what relays of earlier versions have left; none if there were none. On the client for maintenance,
 * because the scan may take minutes.
 */
const formerRecord = async (
  log: EventLog,
  maintenance: Pick<Database, 'open'>,
  hasSent: boolean,
): Promise<O.Option<RelayRecord>> => {
  const database = await maintenance.open()
  const options = { projection: { isRelayed: 1 } }
  const counter = await repeatStep(() => countersIn(database).findOne({ _id: COUNTER }, options))
  const isFormer = counter?.isRelayed === true || hasSent
  const logDocument = isFormer ? null : await repeatStep(() => logsIn(database).findOne({ _id: LOG }))
  if (logDocument?.isNew === true) return O.none
  const { last } = orThrow(await log.head())
  if (!isFormer && (await hasNoUnsent(database))) return O.none
  const first = orThrow(await unusedAtEnd({ log }, last)())
  const unsent = await repeatStep(() => unsentIn(database))
  return O.some(nextVersion(joinedWith(first, { ...unsent, hasSent }, [])))
}

export const RELAY = 'relay'

const EVENTS = 'events'

const decode = decodeAs('relay record', RelayRecord)

export const makeMongoRelayState = (
  { database, run, reportDamage, storage }: StoreContext,
  log: EventLog,
  maintenance: Pick<Database, 'open'>,
): RelayState => {
  const relays = database.collection<Document & { readonly _id: string }>(RELAY)

  /** By a write that changes nothing: it is acknowledged once everything it has read is durable. */
  const find = (): Promise<Document | null> =>
    relays.findOneAndUpdate({ _id: EVENTS }, { $unset: { unused: '' } }, { returnDocument: 'after' })

  const save = async (record: RelayRecord): Promise<boolean> => {
    const document = RelayRecord.encode(record)
    const { version } = record
    if (version > 1) return (await relays.replaceOne({ _id: EVENTS, version: version - 1 }, document)).matchedCount > 0
    const unused = { _id: EVENTS, version: { $exists: false } }
    const added = relays.replaceOne(unused, document, { upsert: true }).then(() => true)
    // false: there is a record
    return added.catch(ifDuplicateKey(false))
  }

  const load = async (): Promise<O.Option<RelayRecord>> => {
    const document = orThrow(await run(find)())
    if (document?.['version'] !== undefined) {
      const record = decode(document)
      if (E.isRight(record)) return O.some(record.right)
      reportDamage(record.left)
      throw new Error(`the record of the relay cannot be decoded: ${record.left.reason}`)
    }
    // earlier versions stored this member alone
    const first = await formerRecord(log, maintenance, document?.['hasSent'] === true)
    if (O.isNone(first)) return first
    orThrow(await run(() => save(first.value))())
    return load()
  }

  return { storage, load: TE.tryCatch(load, unavailable), save: (record) => run(() => save(record)) }
}
