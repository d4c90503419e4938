// The relay of a running service.
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { RelayLevels } from '../adapters/prometheus/watched.js'
import { beginRelaying } from '../adapters/relay/relay-lease.js'
import { DEFAULT_RELAY, startRelay } from '../adapters/relay/relay-loop.js'
import { attempt } from '../adapters/relay/waiting.js'
import { readBacklog } from '../domain/events/backlog.js'
import type { Ports } from '../ports/index.js'
import type { Notify } from '../ports/notice.js'
import type { ServiceLog } from './service-log.js'
import { whenAvailable } from './when-available.js'

/** How long a start waits for it: a store that is away must not hold it up. */
const PREPARE_TIMEOUT_MS = 1_000

/** Stores the first record of the relay, so that not even the first create loses its event if this process dies at once. */
export const prepareRelay = async (ports: Pick<Ports, 'log' | 'relay'>): Promise<void> => {
  const late = AbortSignal.timeout(PREPARE_TIMEOUT_MS)
  await Promise.race([attempt(beginRelaying(ports, late)), once(late, 'abort')])
}

/** Relays until it is stopped, and then closes the publisher. */
export const startRelaying = (
  ports: Pick<Ports, 'log' | 'relay' | 'publisher' | 'clock' | 'crypto'>,
  notify: Notify,
) => {
  const relay = startRelay(ports, DEFAULT_RELAY, notify)
  const end = async (timeoutMs: number): Promise<void> => {
    const stopped = relay.stop()
    // a receiver that hangs has half of the time; in the other one the position is saved
    await Promise.race([stopped, pause(timeoutMs / 2, undefined, { ref: false })])
    await ports.publisher.close?.()
    await stopped
  }
  return {
    adding: relay.adding,
    added: relay.added,
    levels: (): RelayLevels => ({ isActive: relay.isActive(), isConnected: ports.publisher.isConnected?.() }),
    /** Settles the events in flight and saves the position. After the timeout the lease is left to end. */
    stop: (timeoutMs: number): Promise<void> =>
      Promise.race([end(timeoutMs), pause(timeoutMs, undefined, { ref: false })]),
  }
}

/** Says once that events wait, on a store whose relay runs elsewhere or not at all; as soon as the store responds. */
export const reportWaiting = async (
  store: Pick<Ports, 'log' | 'relay'>,
  log: ServiceLog,
  stopping: AbortSignal,
): Promise<void> => {
  const waiting = (await whenAvailable(readBacklog(store), stopping))?.size ?? 0
  if (waiting > 0) log.warn({ waiting }, 'EVENTS_URL is not set: events wait until a process that has it sends them')
}
