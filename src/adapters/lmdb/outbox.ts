// The unsent events of the embedded store. The event itself is in the record of its pet.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Instant } from '../../domain/codecs/instant.js'
import type { Unavailable } from '../../domain/errors.js'
import { matchEvent } from '../../domain/events/domain-event.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import type {
  Backlog,
  ClaimedEvent,
  ClaimRequest,
  Outbox,
  ParkedEvent,
  Requeue,
  Settlement,
} from '../../ports/outbox.js'
import type { Environment, WriteResult } from './environment/environment.js'
import { HAS_SENT_KEY } from './tables/meta-table.js'
import { type FindEvent, findEventWith, keyOf } from './tables/pet-table.js'
import { entryCount, NOTHING, type Tables } from './tables/tables.js'
import { changeUnsent, dueUnsent, findUnsent, putUnsent, removeUnsent } from './tables/unsent-table.js'

/** Pets per transaction of a requeue: few, so that creates continue in between. */
const STEP = 256

const park = (tables: Tables, id: number, reason: string): void => {
  tables.parked.putSync(id, Buffer.from(reason))
}

const claim = (tables: Tables, request: ClaimRequest, findEvent: FindEvent): readonly ClaimedEvent[] =>
  dueUnsent(tables, request).flatMap(([id, state]) => {
    const event = findEvent(tables, id)
    if (O.isNone(event)) {
      // otherwise every claim would return it again
      removeUnsent(tables, id, state)
      park(tables, id, 'its record is damaged')
      return []
    }
    changeUnsent(tables, id, state, { dueAt: request.leaseUntil })
    return [{ event: event.value, failures: state.failures }]
  })

/** The key of the pet in whose record the event is stored. */
const recordKey = matchEvent({ PetCreated: ({ pet }) => keyOf(pet.id) })

const settle = (tables: Tables, settlement: Settlement): void => {
  const key = recordKey(settlement.event)
  const state = O.isSome(key) ? findUnsent(tables, key.value) : O.none
  if (O.isNone(key) || O.isNone(state)) return
  switch (settlement._tag) {
    case 'Sent':
      removeUnsent(tables, key.value, state.value)
      if (!tables.meta.doesExist(HAS_SENT_KEY)) tables.meta.putSync(HAS_SENT_KEY, NOTHING)
      return
    case 'Retry':
      changeUnsent(tables, key.value, state.value, { failures: state.value.failures + 1, dueAt: settlement.at })
      return
    case 'Parked':
      removeUnsent(tables, key.value, state.value)
      park(tables, key.value, settlement.reason)
  }
}

const settleAll = (tables: Tables, settlements: readonly Settlement[]): WriteResult<void> => {
  for (const settlement of settlements) settle(tables, settlement)
  return E.right(undefined)
}

const oldest = (tables: Tables): O.Option<Instant> => {
  for (const [time] of tables.ages.getKeys({ limit: 1 })) return O.fromNullable(time)
  return O.none
}

const backlog = (tables: Tables): Backlog => ({
  size: entryCount(tables.unsent),
  oldest: oldest(tables),
  parked: entryCount(tables.parked),
  hasSent: tables.meta.doesExist(HAS_SENT_KEY),
})

const parked = (tables: Tables, findEvent: FindEvent): readonly ParkedEvent[] =>
  pipe(
    [...tables.parked.getRange()],
    RA.filterMap(({ key, value }) =>
      pipe(
        findEvent(tables, key),
        O.map((event) => ({ event, reason: value.toString() })),
      ),
    ),
  )

interface Step {
  readonly requeued: number
  /** Where the next step continues, if there is more. */
  readonly next: O.Option<number>
}

const ALL_TIME = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }

const requeueStep = (tables: Tables, which: Requeue, start: number, findEvent: FindEvent): Step => {
  const { from, to } = which._tag === 'Parked' ? ALL_TIME : which
  const ids = [...(which._tag === 'Parked' ? tables.parked : tables.pets).getKeys({ start, limit: STEP })]
  const meant = pipe(
    ids,
    RA.filterMap((id) =>
      pipe(
        findEvent(tables, id),
        O.filter(({ time }) => time >= from && time < to),
        O.map(({ time }) => ({ id, time })),
      ),
    ),
  )
  for (const { id, time } of meant) putUnsent(tables, id, { time, dueAt: 0 })
  const last = ids.at(-1)
  return { requeued: meant.length, next: last !== undefined && ids.length === STEP ? O.some(last + 1) : O.none }
}

export const makeLmdbOutbox = (environment: Environment, reportDamage: ReportDamage): Outbox => {
  const findEvent = findEventWith(reportDamage)

  const requeueFrom = (which: Requeue, start: number, before: number): TE.TaskEither<Unavailable, number> =>
    pipe(
      environment.write((tables) => E.right(requeueStep(tables, which, start, findEvent))),
      TE.flatMap(({ requeued, next }) =>
        O.isSome(next) ? requeueFrom(which, next.value, before + requeued) : TE.right(before + requeued),
      ),
    )

  return {
    claim: (request) => environment.write((tables) => E.right(claim(tables, request, findEvent))),
    settle: (settlements) => environment.write((tables) => settleAll(tables, settlements)),
    backlog: environment.read(backlog),
    parked: environment.read((tables) => parked(tables, findEvent)),
    requeue: (which) => requeueFrom(which, 0, 0),
  }
}
