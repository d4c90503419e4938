// A consumer of the pets' events that records when each one arrives.
import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { jetstream, jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { withDeadline } from './deadline.js'

const SUBJECT = 'org.animal-store.pet.created.v1'
/** Enough for the backlog of one minute at full speed. */
const ARRIVAL_MS = 240_000

export interface Arrivals {
  readonly count: () => number
  readonly until: (count: number) => Promise<void>
  /** By performance.now(). */
  readonly instantOf: (petId: number) => Promise<number>
}

const noteArrivals = () => {
  const instants = new Map<number, number>()
  const news = new EventEmitter().setMaxListeners(0)
  const waitFor = async (what: string, isThere: () => boolean): Promise<void> => {
    const wait = async (): Promise<void> => {
      while (!isThere()) await once(news, 'arrival')
    }
    await withDeadline(wait(), ARRIVAL_MS, what)
  }
  const arrived = (petId: number): void => {
    instants.set(petId, performance.now())
    news.emit('arrival')
  }
  const arrivals: Arrivals = {
    count: () => instants.size,
    until: (count) => waitFor(`event ${count}`, () => instants.size >= count),
    instantOf: async (petId) => {
      await waitFor(`the event of pet ${petId}`, () => instants.has(petId))
      return instants.get(petId) ?? Number.NaN
    },
  }
  return { arrived, arrivals }
}

export const withArrivals = async <A>(url: string, work: (arrivals: Arrivals) => Promise<A>): Promise<A> => {
  const connection = await connect({ servers: url })
  const { arrived, arrivals } = noteArrivals()
  const findStream = async (): Promise<string> => {
    const { streams } = await jetstreamManager(connection)
    for (;;) {
      const [name] = await streams.names(SUBJECT).next()
      if (name !== undefined) return name
      await pause(20)
    }
  }
  const stream = await withDeadline(findStream(), ARRIVAL_MS, 'the stream')
  const consumer = await jetstream(connection).consumers.get(stream)
  const messages = await consumer.consume()
  const consume = async (): Promise<void> => {
    for await (const message of messages) arrived(Number(message.json<{ readonly subject: string }>().subject))
  }
  const consuming = consume()
  try {
    return await work(arrivals)
  } finally {
    await messages.close()
    await consuming
    await connection.close()
  }
}
