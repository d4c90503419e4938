// The relay of a running service.
import { setTimeout as pause } from 'node:timers/promises'
import type { RelayLevels } from '../adapters/prometheus/watched.js'
import { DEFAULT_RELAY, type RelayPorts, startRelay } from '../adapters/relay/relay-loop.js'
import { readBacklog } from '../domain/events/backlog.js'
import type { Ports } from '../ports/index.js'
import type { Notify } from '../ports/notice.js'
import type { ServiceLog } from './service-log.js'
import { whenAvailable } from './when-available.js'

/** Relays until stopped, then closes the publisher. */
export const startRelaying = (ports: RelayPorts, notify: Notify) => {
  const relay = startRelay(ports, DEFAULT_RELAY, notify)
  const end = async (timeoutMs: number): Promise<void> => {
    const stopped = relay.stop()
    // a hanging receiver gets half of the time; the other half is for saving the position
    await Promise.race([stopped, pause(timeoutMs / 2, undefined, { ref: false })])
    await ports.publisher.close?.()
    await stopped
  }
  return {
    added: relay.added,
    levels: (): RelayLevels => ({ isActive: relay.isActive(), isConnected: ports.publisher.isConnected?.() }),
    /** Settles the events in flight and saves the position. After the timeout, the lease is left to expire. */
    stop: (timeoutMs: number): Promise<void> =>
      Promise.race([end(timeoutMs), pause(timeoutMs, undefined, { ref: false })]),
  }
}

/** Warns once, when the store responds, if events wait to be sent and this process does not send them. */
export const reportWaiting = async (
  store: Pick<Ports, 'log' | 'relay'>,
  log: ServiceLog,
  stopping: AbortSignal,
): Promise<void> => {
  const waiting = (await whenAvailable(readBacklog(store), stopping))?.size ?? 0
  if (waiting > 0) log.warn({ waiting }, 'EVENTS_URL is not set: events wait until a process that has it sends them')
}
