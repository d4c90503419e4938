// animal-store events backlog | replay | parked list | parked retry
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Instant, instantText } from '../domain/codecs/scalar.js'
import {
  type Backlog,
  type ParkedEvent,
  listParked as parkedEvents,
  readBacklog,
  replayEvents as replay,
  retryParked as retry,
} from '../domain/events/backlog.js'
import { type Arguments, counted, parseInstant, UsageError } from './command.js'
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

/** A damaged record says neither its event's id nor its time. */
const parkedView = ({ number, event, reason }: ParkedEvent) => ({
  petId: number,
  eventId: O.isSome(event) ? event.value.eventId : null,
  time: O.isSome(event) ? instantText(event.value.time) : null,
  reason,
})

const showBacklog = storeCommand({
  usage: 'events backlog',
  summary: 'show how many events wait to be sent, the age of the oldest, and how many are parked',
  plan: (_args, _config, clock) => (store) =>
    pipe(
      readBacklog(store),
      TE.map((backlog) => {
        const view = backlogView(backlog, clock.now())
        const age = view.oldestSeconds === null ? '' : `, the oldest for ${view.oldestSeconds} s`
        return { json: view, lines: [`${view.backlog} waiting${age}; ${view.parked} parked`] }
      }),
    ),
})

const timeOf = (args: Arguments): Instant => {
  const from = args.text('from')
  if (from === undefined) throw new UsageError('--from: wanted a time like 2026-11-21T09:30:00Z')
  return parseInstant('--from', from)
}

const replayEvents = storeCommand({
  usage: 'events replay --from T',
  summary: 'send everything again from the first pet created at T (such as 2026-11-21T09:30:00Z) or later on',
  options: { from: { type: 'string' } },
  plan: (args) => {
    const from = timeOf(args)
    return (store) =>
      pipe(
        replay(store)(from),
        TE.map((replayed) => ({ json: { replayed }, lines: [`${counted(replayed, 'event')} will be sent`] })),
      )
  },
})

const listParked = storeCommand({
  usage: 'events parked list',
  summary: 'list the events that the broker refused, with the reasons',
  plan: () => (store) =>
    pipe(
      parkedEvents(store),
      TE.map((parked) => {
        const views = parked.map(parkedView)
        const lines = views.map((view) => Object.values(view).join('  '))
        return { json: views, lines, ifEmpty: 'no parked events' }
      }),
    ),
})

const retryParked = storeCommand({
  usage: 'events parked retry',
  summary: 'try all parked events again',
  plan: () => (store) =>
    pipe(
      retry(store),
      TE.map((retried) => ({ json: { retried }, lines: [`${counted(retried, 'event')} will be tried again`] })),
    ),
})

export const eventCommands = [showBacklog, replayEvents, listParked, retryParked]
