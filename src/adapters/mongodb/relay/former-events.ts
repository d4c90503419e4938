// Upgrade: the events that relays of earlier versions have not sent. Their states are members of the documents of the pets.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Collection, Db } from 'mongodb'
import { type Unavailable, unavailable } from '../../../domain/errors.js'
import { rangesOf } from '../../../domain/events/number-ranges.js'
import {
  joinedWith,
  MAX_REASON_LENGTH,
  type RelayPosition,
  type RelayRecord,
  unusedAfter,
} from '../../../domain/events/relay-record.js'
import type { EventLog } from '../../../ports/event-log.js'
import type { LazyDatabase } from '../connection/client.js'
import { repeatStep } from '../connection/commands.js'
import type { PetDocument } from '../documents/pet-document.js'
import { COUNTER, type CounterDocument } from '../id-counter.js'
import { LOG, type LogDocument } from '../log/final-numbers.js'
import { COUNTERS, PETS } from '../schema/collections.js'

/** A pet of an earlier version whose event was not sent. */
interface FormerDocument extends PetDocument {
  readonly unsent?: { readonly parked?: unknown; readonly reason?: unknown }
}

const UNSENT = { 'unsent.parked': { $exists: true } }

const unsentIn = async (pets: Collection<FormerDocument>, upTo: number): Promise<Omit<RelayPosition, 'hasSent'>> => {
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
  return { pending: rangesOf(ids), parked }
}

/** Whether an earlier search has found no unsent event: it scans all pets where no index helps, so its result is kept. */
const isKnownNew = async (logs: Collection<LogDocument>): Promise<boolean> =>
  (await repeatStep(() => logs.findOne({ _id: LOG })))?.isNew === true

const hasNoUnsent = async (database: Db): Promise<boolean> => {
  const pets: Collection<FormerDocument> = database.collection(PETS)
  const logs: Collection<LogDocument> = database.collection(COUNTERS)
  if ((await repeatStep(() => pets.findOne(UNSENT, { projection: { _id: 1 } }))) !== null) return false
  await repeatStep(() => logs.updateOne({ _id: LOG }, { $set: { isNew: true } }))
  return true
}

/**
 * The record that continues what relays of earlier versions have left; none if there were none. On the client for maintenance,
 * because the scan may take minutes.
 */
export const makeFormerEvents =
  (log: EventLog, maintenance: Pick<LazyDatabase, 'open'>) =>
  (hasSent: boolean): TaskEither<Unavailable, O.Option<RelayRecord>> =>
  async () => {
    try {
      const database = await maintenance.open()
      const counters: Collection<CounterDocument> = database.collection(COUNTERS)
      const counter = await repeatStep(() => counters.findOne({ _id: COUNTER }, { projection: { isRelayed: 1 } }))
      const isFormer = counter?.isRelayed === true || hasSent
      if (!isFormer && (await isKnownNew(database.collection(COUNTERS)))) return E.right(O.none)
      const head = await log.head()
      if (E.isLeft(head)) return head
      if (!isFormer && (await hasNoUnsent(database))) return E.right(O.none)
      const page = await log.read({ after: head.right.last, limit: 1 })()
      if (E.isLeft(page)) return page
      const { upTo } = page.right
      const unsent = await repeatStep(() => unsentIn(database.collection(PETS), upTo))
      return E.right(O.some({ ...joinedWith(unusedAfter(upTo), { ...unsent, hasSent }, []), version: 1 }))
    } catch (cause) {
      return E.left(unavailable(cause))
    }
  }
