// animal-store events backlog | replay | parked list | parked retry
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../adapters/node/clock.js'
import { instantText } from '../domain/instant.js'
import type { Backlog, ParkedEvent } from '../ports/outbox.js'
import { parseInstant } from './arguments.js'
import { type Command, UsageError } from './command.js'
import { withStore } from './with-store.js'

const backlogView = ({ size, oldest, parked }: Backlog) => ({
  backlog: size,
  oldestSeconds: pipe(
    oldest,
    O.map((time) => Math.max(0, Math.floor((systemClock.now() - time) / 1_000))),
    O.toNullable,
  ),
  parked,
})

const parkedView = ({ event, reason }: ParkedEvent) => ({
  petId: Number(event.pet.id),
  eventId: event.eventId,
  time: instantText(event.time),
  reason,
})

export const showBacklog: Command = {
  usage: 'events backlog',
  summary: 'show how many events wait to be sent, the age of the oldest, and how many are parked',
  options: {},
  operands: 0,
  run: (args, config, output) =>
    withStore(
      config,
      'fail',
      output,
      ({ outbox }) => pipe(outbox.backlog, TE.map(backlogView)),
      (view) => {
        const age = view.oldestSeconds === null ? '' : `, the oldest for ${view.oldestSeconds} s`
        output.result(args.json ? JSON.stringify(view) : `${view.backlog} waiting${age}; ${view.parked} parked`)
      },
    ),
}

export const replayEvents: Command = {
  usage: 'events replay --from T [--to T]',
  summary:
    'send the events of pets created from T (such as 2026-11-21T09:30:00Z) until now, or until before the second T, again',
  options: { from: { type: 'string' }, to: { type: 'string' } },
  operands: 0,
  run: async (args, config, output) => {
    const first = args.text('from')
    if (first === undefined) throw new UsageError('--from: wanted a time like 2026-11-21T09:30:00Z')
    const from = parseInstant('--from', first)
    const last = args.text('to')
    // an event of this very millisecond belongs to "until now"
    const to = last === undefined ? systemClock.now() + 1 : parseInstant('--to', last)
    if (to < from) throw new UsageError('--to: must not be before --from')
    return withStore(
      config,
      'fail',
      output,
      ({ outbox }) => outbox.requeue({ _tag: 'CreatedBetween', from, to }),
      (replayed) => {
        output.result(args.json ? JSON.stringify({ replayed }) : `${replayed} events will be sent again`)
        if (config.eventsUrl === undefined) output.message('they wait until a service runs with EVENTS_URL')
      },
    )
  },
}

export const listParked: Command = {
  usage: 'events parked list',
  summary: 'list the events that the broker refused, with the reasons',
  options: {},
  operands: 0,
  run: (args, config, output) =>
    withStore(
      config,
      'fail',
      output,
      ({ outbox }) => outbox.parked,
      (parked) => {
        const views = parked.map(parkedView)
        if (args.json) output.result(JSON.stringify(views))
        else for (const view of views) output.result(Object.values(view).join('  '))
      },
    ),
}

export const retryParked: Command = {
  usage: 'events parked retry',
  summary: 'try all parked events again',
  options: {},
  operands: 0,
  run: (args, config, output) =>
    withStore(
      config,
      'fail',
      output,
      ({ outbox }) => outbox.requeue({ _tag: 'Parked' }),
      (retried) => output.result(args.json ? JSON.stringify({ retried }) : `${retried} events will be tried again`),
    ),
}
