// The unsent events, which lie in the documents of their pets; an index as large as the backlog finds them.
import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type Collection, type Db, type Document, MongoServerError } from 'mongodb'
import { matchEvent } from '../../domain/domain-event.js'
import type { Instant } from '../../domain/instant.js'
import type { PetCreated } from '../../domain/pet-created.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import type { Backlog, ClaimedEvent, ClaimRequest, Outbox, ParkedEvent, Settlement } from '../../ports/outbox.js'
import type { Run } from './connection.js'
import { decodeEvent, freshlyUnsent, type PetDocument } from './pet-document.js'
import { requeueCreatedBetween } from './requeue.js'
import { runWrite } from './write-command.js'

export interface MongoOutboxSettings {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  readonly run: Run
  readonly reportDamage: ReportDamage
}

/** Milliseconds for what an operator asks of a backlog of millions. */
const MAINTENANCE_LIMIT = 600_000

const WAITING = { 'unsent.parked': false } as const
const PARKED = { 'unsent.parked': true } as const

/** The order of the index `due`. */
export const DUE_LONGEST_FIRST = { 'unsent.dueAt': 1, _id: 1 } as const

/** Due, or due so late that the clock must have stepped back since. */
export const dueFilter = (now: Instant, maxDueAt: Instant) => ({
  ...WAITING,
  $or: [{ 'unsent.dueAt': { $lte: new Date(now) } }, { 'unsent.dueAt': { $gt: new Date(maxDueAt) } }],
})

const parking = (reason: string) => ({ $set: { 'unsent.parked': true, 'unsent.reason': reason } })

/** The id of the document in which the event is stored. */
const recordId = matchEvent({ PetCreated: ({ pet }) => pet.id })

/** A statement that changes nothing when it is repeated, because its answer may get lost. */
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
  // a sent event stays sent whatever else is said of it, so these may go first, together
  const q = { _id: { $in: sent }, unsent: { $exists: true } }
  return sent.length === 0 ? others : [{ q, u: { $unset: { unsent: '' } }, multi: true }, ...others]
}

export const makeMongoOutbox = ({ database, pets, run, reportDamage }: MongoOutboxSettings): Outbox => {
  /** The events of documents; one that cannot be decoded is reported. */
  const soundOf = <A>(documents: readonly PetDocument[], make: (event: PetCreated, document: PetDocument) => A): A[] =>
    documents.flatMap((document) => {
      const event = decodeEvent(document)
      if (E.isRight(event)) return [make(event.right, document)]
      reportDamage(event.left)
      return []
    })

  /** A damaged event is parked, or its claim would lapse and come back for ever. */
  const parkDamaged = async (documents: readonly PetDocument[]): Promise<void> => {
    const damaged = documents.filter((document) => E.isLeft(decodeEvent(document))).map(({ _id }) => _id)
    if (damaged.length > 0) await pets.updateMany({ _id: { $in: damaged }, ...WAITING }, parking('cannot be decoded'))
  }

  /** One claim, which may be tried again: it keeps to its token and its candidates, for what it leased is due no more. */
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
      // of claimers at once each document is still due for one only; the token tells which are ours
      await pets.updateMany({ _id: { $in: [...ids] }, ...due }, lease)
      const ours = { _id: { $in: [...ids] }, 'unsent.claim': token }
      const found = new Map((await pets.find(ours).toArray()).map((document) => [document._id, document]))
      const claimed = ids.flatMap((id) => found.get(id) ?? [])
      await parkDamaged(claimed)
      return soundOf(claimed, (event, { unsent }) => ({ event, failures: unsent?.failures ?? 0 }))
    }
  }

  const settle = async (settlements: readonly Settlement[]): Promise<void> => {
    const updates = statementsFrom(settlements)
    if (updates.length === 0) return
    const [refused] = await runWrite(database, { update: pets.collectionName, updates })
    if (refused !== undefined) throw new MongoServerError({ ...refused })
  }

  const backlog = async (): Promise<Backlog> => {
    const [parked, [waiting]] = await Promise.all([
      pets.countDocuments(PARKED),
      pets
        .aggregate<{ size: number; oldest: Date }>([
          { $match: WAITING },
          { $group: { _id: null, size: { $sum: 1 }, oldest: { $min: '$event.time' } } },
        ])
        .toArray(),
    ])
    if (waiting === undefined) return { size: 0, oldest: O.none, parked }
    return { size: waiting.size, oldest: O.some(waiting.oldest.getTime()), parked }
  }

  const parked = async (): Promise<readonly ParkedEvent[]> => {
    const documents = await pets.find(PARKED, { sort: { _id: 1 } }).toArray()
    return soundOf(documents, (event, { unsent }) => ({ event, reason: unsent?.reason ?? '' }))
  }

  const requeueParked = async (): Promise<number> =>
    (await pets.updateMany(PARKED, { $set: { unsent: freshlyUnsent() } })).matchedCount

  return {
    claim: (request) => () => run(claiming(request))(),
    settle: (settlements) => run(() => settle(settlements)),
    backlog: run(backlog, MAINTENANCE_LIMIT),
    parked: run(parked, MAINTENANCE_LIMIT),
    requeue: (which) =>
      run(
        () => (which._tag === 'Parked' ? requeueParked() : requeueCreatedBetween(pets, which.from, which.to)),
        MAINTENANCE_LIMIT,
      ),
  }
}
