// Keeps relaying events: immediately after a local create, by polling for events of other instances, and less often on failures.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { makeBackOff } from '../../domain/events/back-off.js'
import { eventSubject } from '../../domain/events/domain-event.js'
import { type RelayPass, type RelaySettings, relayEvents } from '../../domain/events/relay-events.js'
import type { Ports } from '../../ports/index.js'
import type { Notify } from '../../ports/notice.js'
import type { PetRepository } from '../../ports/pet-repository.js'

/** @since 1.0.0 @category Events */
export interface RelayLoopSettings extends RelaySettings {
  readonly maxBatchesInFlight: number
  /** Time between two claims if nothing calls `wake`. */
  readonly pollIntervalMs: number
  /** Pause after a pass, so that events created in the meantime share the next batch. */
  readonly gatherMs: number
}

/** @since 1.0.0 @category Events */
export const DEFAULT_RELAY: RelayLoopSettings = {
  batchSize: 256,
  leaseMs: 10_000,
  attemptsBeforeParking: 5,
  backOff: { initialMs: 100, maxMs: 5_000 },
  maxBatchesInFlight: 4,
  pollIntervalMs: 1_000,
  gatherMs: 10,
}

/** @since 1.0.0 @category Events */
export interface Relay {
  /** Call it after each create; it is cheap. */
  readonly wake: () => void
  /** Resolves once the batches in flight are settled; the outbox is not used afterwards. */
  readonly stop: Task<void>
}

/**
 * Decorates the repository so that each add wakes a relay.
 *
 * @since 1.0.0 @category Events
 * @example
 * const { pets } = makeMemoryStore({ isRelayed: true })
 * let woken = 0
 * const waking = wakingAfterAdd(pets, () => { woken += 1 })
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * await waking.add({ event: { _tag: 'PetCreated', eventId: 'e1', time: 0, pet }, idempotencyKey: O.none })()
 * woken // => 1
 */
export const wakingAfterAdd = (pets: PetRepository, wake: () => void): PetRepository => ({
  ...pets,
  add: (record) => async () => {
    const outcome = await pets.add(record)()
    wake()
    return outcome
  },
})

/** The part that currently fails. */
type Outage = 'none' | 'outbox' | 'delivery'

/**
 * Relays until it is stopped. It never fails: it reports each outage and recovery to `notify` once, and keeps retrying.
 *
 * @since 1.0.0 @category Events
 * @example
 * const publisher = makeInProcessPublisher([({ pet }) => void pet.name])
 * const ports = { ...makeMemoryStore({ isRelayed: true }), publisher, clock: systemClock, crypto: nodeCrypto }
 * const relay = startRelay(ports, DEFAULT_RELAY, ({ message }) => console.error(message))
 * await relay.stop()
 */
export const startRelay = (
  ports: Pick<Ports, 'outbox' | 'publisher' | 'clock' | 'crypto'>,
  settings: RelayLoopSettings,
  notify: Notify,
): Relay => {
  const relayBatch = relayEvents(ports)(settings)
  const backOff = makeBackOff(ports.crypto, settings.backOff)
  const passes = new Set<Promise<void>>()
  let outage: Outage = 'none'
  let failures = 0
  let isWoken = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const fail = (kind: Exclude<Outage, 'none'>, message: string, reason: string): void => {
    failures += 1
    if (outage !== kind) notify({ level: 'error', message, details: { reason } })
    outage = kind
  }

  const recover = (): void => {
    if (outage !== 'none') notify({ level: 'info', message: 'event delivery has recovered', details: {} })
    outage = 'none'
    failures = 0
  }

  /** Reports the outcome; returns whether more events may be waiting. */
  const report = (outcome: E.Either<Unavailable, RelayPass>): boolean => {
    if (E.isLeft(outcome)) {
      fail('outbox', 'the outbox is unavailable', String(outcome.left.cause))
      return false
    }
    const { claimed, sent, failed, failure, parked } = outcome.right
    for (const { event, reason } of parked) {
      const details = { event: event._tag, eventId: event.eventId, subject: eventSubject(event), reason }
      notify({ level: 'error', message: 'an event was parked', details })
    }
    // a pass without events says nothing about the receiver
    if (O.isSome(failure) && sent === 0) fail('delivery', 'events cannot be delivered', failure.value)
    else if (claimed > 0 || outage === 'outbox') recover()
    return claimed === settings.batchSize && failed === 0
  }

  const attempt = (): Promise<E.Either<Unavailable, RelayPass>> =>
    relayBatch().catch((defect: unknown) => E.left(unavailable(defect)))

  const runPass = async (): Promise<boolean> => {
    isWoken = false
    const isMore = report(await attempt())
    if (!isMore) await pause(settings.gatherMs)
    return isMore
  }

  const startPass = (): void => {
    const pass = runPass().then((isMore) => {
      passes.delete(pass)
      if (isStopped) return
      if (failures === 0 && (isMore || isWoken)) {
        do startPass()
        while (isMore && passes.size < settings.maxBatchesInFlight)
      } else if (passes.size === 0) {
        timer = setTimeout(startPass, failures === 0 ? settings.pollIntervalMs : backOff(failures))
      }
    })
    passes.add(pass)
  }

  const wake = (): void => {
    isWoken = true
    if (passes.size > 0 || failures > 0 || isStopped) return
    clearTimeout(timer)
    startPass()
  }

  startPass()
  return {
    wake,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await Promise.all(passes)
    },
  }
}
