// Keeps relaying events: at once after a local create, now and then for those of other instances, and ever slower while it fails.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { makeBackOff } from '../../domain/back-off.js'
import { eventSubject } from '../../domain/domain-event.js'
import { type Unavailable, unavailable } from '../../domain/errors.js'
import { type RelayPass, type RelaySettings, relayEvents } from '../../domain/relay-events.js'
import type { Ports } from '../../ports/index.js'
import type { Notify } from '../../ports/notice.js'
import type { PetRepository } from '../../ports/pet-repository.js'

export interface RelayLoopSettings extends RelaySettings {
  /** How many batches may be under way at once. */
  readonly batchesInFlight: number
  /** Milliseconds between two looks at the outbox while nobody calls. */
  readonly pollInterval: number
  /** Milliseconds that a pass leaves to those who create meanwhile, so that their events share the next one. */
  readonly gatherTime: number
}

export const DEFAULT_RELAY: RelayLoopSettings = {
  batchSize: 256,
  lease: 10_000,
  triesBeforeParking: 5,
  backOff: { first: 100, most: 5_000 },
  batchesInFlight: 4,
  pollInterval: 1_000,
  gatherTime: 10,
}

export interface Relay {
  /** Says that there is an event to relay; costs nothing. */
  readonly wake: () => void
  /** Ends once the batches under way are settled; afterwards the outbox is left alone. */
  readonly stop: Task<void>
}

/**
 * The repository, waking a relay after each add.
 *
 * @example
 * const { pets } = makeMemoryStore({ isRelayed: true })
 * let woken = 0
 * const waking = wakingAfterAdd(pets, () => { woken += 1 })
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * await waking.add({ event: { _tag: 'PetCreated', eventId: 'e1', time: 0, pet }, idempotency: O.none })()
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

type Trouble = 'none' | 'outbox' | 'delivery'

/**
 * Keeps relaying until it is stopped; times are in milliseconds. It never fails: what goes wrong is told to `notify`, once
 * a change, and tried again.
 *
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
  const pass = relayEvents(ports)(settings)
  const backOff = makeBackOff(ports.crypto, settings.backOff)
  const lanes = new Set<Promise<void>>()
  let trouble: Trouble = 'none'
  let failures = 0
  let isWoken = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  const fail = (kind: Trouble, message: string, reason: string): void => {
    failures += 1
    if (trouble !== kind) notify({ level: 'error', message, details: { reason } })
    trouble = kind
  }

  const recover = (): void => {
    if (trouble !== 'none') notify({ level: 'info', message: 'events are relayed again', details: {} })
    trouble = 'none'
    failures = 0
  }

  /** Whether more events may be waiting. */
  const note = (outcome: E.Either<Unavailable, RelayPass>): boolean => {
    if (E.isLeft(outcome)) {
      fail('outbox', 'the outbox does not answer', String(outcome.left.cause))
      return false
    }
    const { claimed, sent, failed, failure, parked } = outcome.right
    for (const { event, reason } of parked) {
      const details = { event: event._tag, eventId: event.eventId, subject: eventSubject(event), reason }
      notify({ level: 'error', message: 'an event is parked', details })
    }
    // a pass without events says nothing about those who receive them
    if (O.isSome(failure) && sent === 0) fail('delivery', 'events cannot be delivered', failure.value)
    else if (claimed > 0 || trouble === 'outbox') recover()
    return claimed === settings.batchSize && failed === 0
  }

  const attempt = (): Promise<E.Either<Unavailable, RelayPass>> =>
    pass().catch((defect: unknown) => E.left(unavailable(defect)))

  const passOnce = async (): Promise<boolean> => {
    isWoken = false
    const isMore = note(await attempt())
    if (!isMore) await pause(settings.gatherTime)
    return isMore
  }

  const open = (): void => {
    const lane = passOnce().then((isMore) => {
      lanes.delete(lane)
      if (isStopped) return
      if (failures === 0 && (isMore || isWoken)) {
        do open()
        while (isMore && lanes.size < settings.batchesInFlight)
      } else if (lanes.size === 0) {
        timer = setTimeout(open, failures === 0 ? settings.pollInterval : backOff(failures))
      }
    })
    lanes.add(lane)
  }

  const wake = (): void => {
    isWoken = true
    if (lanes.size > 0 || failures > 0 || isStopped) return
    clearTimeout(timer)
    open()
  }

  open()
  return {
    wake,
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await Promise.all(lanes)
    },
  }
}
