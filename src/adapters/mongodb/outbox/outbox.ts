// The unsent events. They are stored in the documents of their pets, and found by an index as large as the backlog.
import { randomUUID } from 'node:crypto'
import * as O from 'fp-ts/lib/Option.js'
import { type Collection, type Db, type Document, MongoServerError } from 'mongodb'
import type { Instant } from '../../../domain/codecs/instant.js'
import { matchEvent } from '../../../domain/events/domain-event.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { ClaimedEvent, ClaimRequest, Outbox, Settlement } from '../../../ports/outbox.js'
import type { Run } from '../connection/connection.js'
import { runWrite } from '../connection/write-command.js'
import { soundWith } from '../documents/damage.js'
import { decodeEvent, EVENT_MEMBERS, type PetDocument, WAITING } from '../documents/pet-document.js'
import { unsentOf } from '../documents/pet-state.js'
import type { Maintenance } from './maintenance.js'
import { noteSent } from './relay-state.js'

export interface MongoOutboxSettings {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  readonly run: Run
  /** Operators' commands. */
  readonly maintenance: Maintenance
  readonly reportDamage: ReportDamage
}

/** The order of the index `due`. */
export const DUE_LONGEST_FIRST = { 'unsent.dueAt': 1, _id: 1 } as const

/** Due, or due so late that the clock must have stepped back. */
export const dueFilter = (now: Instant, maxDueAt: Instant) => ({
  ...WAITING,
  $or: [{ 'unsent.dueAt': { $lte: new Date(now) } }, { 'unsent.dueAt': { $gt: new Date(maxDueAt) } }],
})

const parking = (reason: string) => ({ $set: { 'unsent.parked': true, 'unsent.reason': reason } })

/** The id of the document that contains the event. */
const recordId = matchEvent({ PetCreated: ({ pet }) => pet.id })

/** A statement that is safe to repeat, because its reply may be lost. */
const statementFrom = (settlement: Exclude<Settlement, { _tag: 'Sent' }>): Document => {
  const q = { _id: recordId(settlement.event), ...WAITING }
  return settlement._tag === 'Parked'
    ? { q, u: parking(settlement.reason) }
    : {
        q: { ...q, 'unsent.dueAt': { $ne: new Date(settlement.at) } },
        u: { $set: { 'unsent.dueAt': new Date(settlement.at) }, $inc: { 'unsent.failures': 1 } },
      }
}

const statementsFrom = (settlements: readonly Settlement[]): readonly Document[] => {
  const sent: bigint[] = []
  const others: Document[] = []
  for (const settlement of settlements) {
    if (settlement._tag === 'Sent') sent.push(recordId(settlement.event))
    else others.push(statementFrom(settlement))
  }
  // a sent event stays sent, so these statements can run first, together
  const q = { _id: { $in: sent }, ...WAITING }
  return sent.length === 0 ? others : [{ q, u: { $unset: { unsent: '' } }, multi: true }, ...others]
}

export const makeMongoOutbox = (settings: MongoOutboxSettings): Outbox => {
  const { database, pets, run, maintenance, reportDamage } = settings

  const sound = soundWith(reportDamage)

  /** Parks damaged events; otherwise their claims would expire and return forever. */
  const withoutDamaged = async (documents: readonly PetDocument[]): Promise<readonly ClaimedEvent[]> => {
    const claimed: ClaimedEvent[] = []
    const damaged: bigint[] = []
    for (const document of documents) {
      const event = sound(decodeEvent(document))
      if (O.isSome(event)) claimed.push({ event: event.value, failures: unsentOf(document).failures })
      else damaged.push(document._id)
    }
    if (damaged.length > 0) await pets.updateMany({ _id: { $in: damaged }, ...WAITING }, parking('cannot be decoded'))
    return claimed
  }

  /** One claim. Safe to repeat: it keeps its token and its candidates, because leased events are no longer due. */
  const claiming = ({ now, leaseUntil, maxDueAt, limit }: ClaimRequest): (() => Promise<readonly ClaimedEvent[]>) => {
    const token = randomUUID()
    const due = dueFilter(now, maxDueAt)
    const lease = { $set: { 'unsent.dueAt': new Date(leaseUntil), 'unsent.claim': token } }
    let ids: readonly bigint[] = []
    return async () => {
      if (ids.length === 0) {
        const candidates = await pets.find(due, { projection: { _id: 1 }, sort: DUE_LONGEST_FIRST, limit }).toArray()
        ids = candidates.map(({ _id }) => _id)
      }
      if (ids.length === 0) return []
      // a document is still due for only one of several concurrent claimers; the token identifies ours
      await pets.updateMany({ _id: { $in: [...ids] }, ...due }, lease)
      const ours = { _id: { $in: [...ids] }, 'unsent.claim': token }
      const documents = await pets.find(ours, { projection: EVENT_MEMBERS }).toArray()
      const found = new Map(documents.map((document) => [document._id, document]))
      return withoutDamaged(ids.flatMap((id) => found.get(id) ?? []))
    }
  }

  let isSentNoted = false

  const settle = async (settlements: readonly Settlement[]): Promise<void> => {
    const updates = statementsFrom(settlements)
    if (updates.length === 0) return
    if (!isSentNoted && settlements.some(({ _tag }) => _tag === 'Sent')) {
      // first, so that a crash in between cannot lose it
      await noteSent(database)
      isSentNoted = true
    }
    const [refused] = await runWrite(database, { update: pets.collectionName, updates })
    if (refused !== undefined) throw new MongoServerError({ ...refused })
  }

  return {
    claim: (request) => () => run(claiming(request))(),
    settle: (settlements) => run(() => settle(settlements)),
    ...maintenance,
  }
}
