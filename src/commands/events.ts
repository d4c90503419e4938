// animal-store events backlog | replay | parked list | parked retry
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Instant, instantText } from '../domain/codecs/instant.js'
import type { Clock } from '../ports/clock.js'
import type { Backlog, ParkedEvent } from '../ports/outbox.js'
import { parseInstant } from './arguments.js'
import { type Arguments, UsageError } from './command.js'
import { counted } from './counted.js'
import { storeCommand } from './store-command.js'

const backlogView = ({ size, oldest, parked }: Backlog, now: Instant) => ({
  backlog: size,
  oldestSeconds: pipe(
    oldest,
    O.map((time) => Math.max(0, Math.floor((now - time) / 1_000))),
    O.toNullable,
  ),
  parked,
})

const parkedView = ({ event, reason }: ParkedEvent) => ({
  petId: event.pet.id,
  eventId: event.eventId,
  time: instantText(event.time),
  reason,
})

export const showBacklog = storeCommand({
  usage: 'events backlog',
  summary: 'show how many events wait to be sent, the age of the oldest, and how many are parked',
  options: {},
  operands: 0,
  ifMissing: 'fail',
  plan:
    (_args, _config, clock) =>
    ({ outbox }) =>
      pipe(
        outbox.backlog,
        TE.map((backlog) => {
          const view = backlogView(backlog, clock.now())
          const age = view.oldestSeconds === null ? '' : `, the oldest for ${view.oldestSeconds} s`
          return { json: view, lines: [`${view.backlog} waiting${age}; ${view.parked} parked`] }
        }),
      ),
})

const timesOf = (args: Arguments, clock: Clock): { readonly from: Instant; readonly to: Instant } => {
  const first = args.text('from')
  if (first === undefined) throw new UsageError('--from: wanted a time like 2026-11-21T09:30:00Z')
  const from = parseInstant('--from', first)
  const last = args.text('to')
  // "until now" includes an event of this millisecond
  const to = last === undefined ? clock.now() + 1 : parseInstant('--to', last)
  if (to < from) throw new UsageError('--to: must not be before --from')
  return { from, to }
}

export const replayEvents = storeCommand({
  usage: 'events replay --from T [--to T]',
  summary:
    'send the events of pets created from T (such as 2026-11-21T09:30:00Z) until now, or until the second T, again',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  operands: 0,
  ifMissing: 'fail',
  plan: (args, { eventsUrl }, clock) => {
    const { from, to } = timesOf(args, clock)
    const warning = eventsUrl === undefined ? { warning: 'they wait until a service runs with EVENTS_URL' } : {}
    return ({ outbox }) =>
      pipe(
        outbox.requeue({ _tag: 'CreatedBetween', from, to }),
        TE.map((replayed) => ({
          json: { replayed },
          lines: [`${counted(replayed, 'event')} will be sent again`],
          ...warning,
        })),
      )
  },
})

export const listParked = storeCommand({
  usage: 'events parked list',
  summary: 'list the events that the broker refused, with the reasons',
  options: {},
  operands: 0,
  ifMissing: 'fail',
  plan:
    () =>
    ({ outbox }) =>
      pipe(
        outbox.parked,
        TE.map((parked) => {
          const views = parked.map(parkedView)
          const lines = views.map((view) => Object.values(view).join('  '))
          return { json: views, lines, ifEmpty: 'no parked events' }
        }),
      ),
})

export const retryParked = storeCommand({
  usage: 'events parked retry',
  summary: 'try all parked events again',
  options: {},
  operands: 0,
  ifMissing: 'fail',
  plan:
    () =>
    ({ outbox }) =>
      pipe(
        outbox.requeue({ _tag: 'Parked' }),
        TE.map((retried) => ({ json: { retried }, lines: [`${counted(retried, 'event')} will be tried again`] })),
      ),
})
