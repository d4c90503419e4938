// animal-store events backlog | replay | parked list | parked retry
import { flow, pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { instantText } from '../domain/codecs/scalar.js'
import {
  listParked as parkedEvents,
  readBacklog,
  replayEvents as replay,
  retryParked as retry,
  skipEvents,
} from '../domain/events/backlog.js'
import { counted, parseInstant, table } from './command.js'
import { storeCommand } from './store-command.js'

const showBacklog = storeCommand({
  usage: 'events backlog',
  summary: 'show how many events wait to be sent, the age of the oldest, and how many are parked',
  plan: (_args, clock) => (store) =>
    pipe(
      readBacklog(store),
      TE.map(({ size, oldest, parked }) => {
        const oldestSeconds = O.isSome(oldest) ? Math.max(0, Math.floor((clock.now() - oldest.value) / 1_000)) : null
        const age = oldestSeconds === null ? '' : `, the oldest for ${oldestSeconds} s`
        return { json: { backlog: size, oldestSeconds, parked }, lines: [`${size} waiting${age}; ${parked} parked`] }
      }),
    ),
})

const replayEvents = storeCommand({
  usage: 'events replay --from T',
  summary: 'send everything again from the first pet created at T or later; now: send only what comes',
  options: { from: { type: 'string' } },
  plan: (args) => {
    const text = args.values('from')[0] ?? ''
    if (text === 'now') {
      return flow(
        skipEvents,
        TE.map(() => ({ json: { replayed: 0 }, lines: ['only events from now on will be sent'] })),
      )
    }
    const from = parseInstant('--from', text)
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
        const views = parked.map(({ number, event, reason }) => {
          // a damaged record has no readable event
          const [eventId, time] = O.isSome(event) ? [event.value.eventId, instantText(event.value.time)] : [null, null]
          return { petId: number, eventId, time, reason }
        })
        return { json: views, lines: table(views), ifEmpty: 'no parked events' }
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
