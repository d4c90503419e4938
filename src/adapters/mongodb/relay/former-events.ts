// Upgrade: the events that relays of earlier versions have not sent. Their states are members of the documents of the pets.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Collection, Db } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { type NumberRange, rangesOf } from '../../../domain/events/number-ranges.js'
import { joinedWith, MAX_REASON_LENGTH, type RelayRecord, unusedAfter } from '../../../domain/events/relay-record.js'
import type { EventLog } from '../../../ports/event-log.js'
import type { LazyDatabase } from '../connection/lazy-database.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { COUNTER, type CounterDocument, LOG, type LogDocument } from '../documents/counter-document.js'
import type { PetDocument } from '../documents/pet-document.js'
import { COUNTERS, PETS } from '../schema/collections.js'

/** A pet of an earlier version whose event was not sent. */
interface FormerDocument extends PetDocument {
  readonly unsent?: { readonly parked?: unknown; readonly reason?: unknown }
}

const UNSENT = { 'unsent.parked': { $exists: true } }

interface Unsent {
  readonly waiting: readonly NumberRange[]
  readonly parked: RelayRecord['parked']
}

const unsentIn = async (database: Db, upTo: number): Promise<Unsent> => {
  const pets: Collection<FormerDocument> = database.collection(PETS)
  const ids: number[] = []
  const parked: { readonly number: number; readonly reason: string }[] = []
  const projection = { 'unsent.parked': 1, 'unsent.reason': 1 }
  for await (const { _id, unsent } of pets.find(UNSENT, { projection, batchSize: 10_000 })) {
    const number = Number(_id)
    if (!Number.isSafeInteger(number) || number < 1 || number > upTo) continue
    // a state that cannot be decoded counts as waiting, because a lost event is worse than one sent twice
    if (unsent?.parked === true) {
      const reason = typeof unsent.reason === 'string' ? unsent.reason.slice(0, MAX_REASON_LENGTH) : ''
      parked.push({ number, reason })
    } else ids.push(number)
  }
  ids.sort((one, other) => one - other)
  return { waiting: rangesOf(ids), parked }
}

const logsOf = (database: Db): Collection<LogDocument> => database.collection(COUNTERS)

const isNew = async (database: Db): Promise<boolean> =>
  (await repeatStep(() => logsOf(database).findOne({ _id: LOG })))?.isNew === true

/** Scans all pets where no index helps, so the outcome is kept. */
const hasNoUnsent = async (database: Db): Promise<boolean> => {
  const pets: Collection<FormerDocument> = database.collection(PETS)
  if ((await repeatStep(() => pets.findOne(UNSENT, { projection: { _id: 1 } }))) !== null) return false
  await repeatStep(() => logsOf(database).updateOne({ _id: LOG }, { $set: { isNew: true } }))
  return true
}

export interface FormerEventsSettings {
  readonly log: EventLog
  /** For a scan that may take minutes. */
  readonly maintenance: Pick<LazyDatabase, 'open'>
}

/** The record that continues what relays of earlier versions have left; none if there were none. */
export const makeFormerEvents =
  ({ log, maintenance }: FormerEventsSettings) =>
  (hasSent: boolean): TaskEither<Unavailable, O.Option<RelayRecord>> =>
  async () => {
    try {
      const database = await maintenance.open()
      const counter = await repeatStep(() =>
        database.collection<CounterDocument>(COUNTERS).findOne({ _id: COUNTER }, { projection: { isRelayed: 1 } }),
      )
      const isFormer = counter?.isRelayed === true || hasSent
      if (!isFormer && (await isNew(database))) return E.right(O.none)
      const head = await log.head()
      if (E.isLeft(head)) return head
      if (!isFormer && (await hasNoUnsent(database))) return E.right(O.none)
      const page = await log.read({ after: head.right.last, limit: 1 })()
      if (E.isLeft(page)) return page
      const { upTo } = page.right
      const { waiting, parked } = await repeatStep(() => unsentIn(database, upTo))
      const record = joinedWith(unusedAfter(upTo), { pending: waiting, parked, hasSent }, [])
      return E.right(O.some({ ...record, version: 1 }))
    } catch (cause) {
      return E.left(unavailable(cause))
    }
  }
