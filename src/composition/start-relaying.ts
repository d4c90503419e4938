// The relay of a running service.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { DEFAULT_RELAY, startRelay } from '../adapters/relay/relay-loop.js'
import { readBacklog } from '../domain/events/backlog.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { Ports } from '../ports/index.js'
import type { Notify } from '../ports/notice.js'
import type { ServiceLog } from './service-log.js'

/** A publisher that may hold a connection. */
export interface ClosablePublisher extends EventPublisher {
  /** Called once, at a stop. It ends what is in flight, if that has taken half of the time of the stop. */
  readonly close?: Task<void>
  /** Whether its receiver is connected; absent if it needs no connection. */
  readonly isConnected?: () => boolean
}

export interface EventRelay {
  readonly wake: () => void
  readonly levels: () => { readonly isActive: boolean; readonly isConnected: boolean | undefined }
  /** Settles the events in flight and saves the position. After the timeout the lease is left to end. */
  readonly stop: (timeoutMs: number) => Promise<void>
}

type RelayingPorts = Pick<Ports, 'log' | 'relay' | 'clock' | 'crypto'> & { readonly publisher: ClosablePublisher }

/** How long a start waits for a store that does not respond; it accepts no pets meanwhile either. */
const HEAD_TIMEOUT_MS = 1_000

/** Where the log ends now; undefined if the store does not say so in time. */
export const endOf = async ({ log }: Pick<Ports, 'log'>): Promise<number | undefined> => {
  const head = await Promise.race([log.head(), pause(HEAD_TIMEOUT_MS, undefined, { ref: false })])
  return head !== undefined && E.isRight(head) ? head.right.last : undefined
}

/** Relays until it is stopped, and then closes the publisher. */
export const startRelaying = (ports: RelayingPorts, startsAfter: number | undefined, notify: Notify): EventRelay => {
  const relay = startRelay(ports, { ...DEFAULT_RELAY, startsAfter }, notify)
  const end = async (timeoutMs: number): Promise<void> => {
    const stopped = relay.stop()
    // a receiver that hangs has half of the time; in the other one the position is saved
    await Promise.race([stopped, pause(timeoutMs / 2, undefined, { ref: false })])
    await ports.publisher.close?.()
    await stopped
  }
  return {
    wake: relay.wake,
    levels: () => ({ isActive: relay.isActive(), isConnected: ports.publisher.isConnected?.() }),
    stop: (timeoutMs) => Promise.race([end(timeoutMs), pause(timeoutMs, undefined, { ref: false })]),
  }
}

/** Says once that events wait, on a store whose relay runs elsewhere or not at all. */
export const reportWaiting = async (store: Pick<Ports, 'log' | 'relay'>, log: ServiceLog): Promise<void> => {
  const backlog = await readBacklog(store)()
  if (E.isLeft(backlog) || O.isNone(backlog.right) || backlog.right.value.size === 0) return
  log.warn(
    { waiting: backlog.right.value.size },
    'EVENTS_URL is not set: events wait until a process that has it sends them',
  )
}
