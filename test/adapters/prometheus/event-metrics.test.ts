import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeInProcessPublisher } from '../../../src/adapters/memory/event-publisher.js'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { loadMetrics } from '../../../src/adapters/prometheus/metrics.js'
import { DEFAULT_RELAY, startRelay } from '../../../src/adapters/relay/relay-loop.js'
import type { RelayRecord } from '../../../src/domain/events/relay-record.js'
import type { EventPublisher } from '../../../src/ports/event-publisher.js'
import { anyApiKey, numbered, record, succeed } from '../../../src/testing/samples.js'
import { scrape } from '../../support/documents/scrape.js'
import { holding, saveRelay } from '../../support/domain/log-reads.js'
import { eventually } from '../../support/runner/eventually.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

describe('a measured relay', () => {
  const scene = async (publisher: EventPublisher, parked: RelayRecord['parked'] = []) => {
    const metrics = await loadMetrics()
    const store = makeMemoryStore()
    await saveRelay(store, 0, [], parked)
    for (const id of [1, 2]) await succeed(store.pets.add(record(numbered(id), O.none, 4_000)))
    let now = 10_000
    const clock = { now: () => now, monotonicMs: systemClock.monotonicMs }
    metrics.watch({ store: { ...store, clock } })
    const measured = metrics.publisher(publisher, clock)
    const ports = { log: store.log, relay: store.relay, publisher: measured, clock, crypto: nodeCrypto }
    const start = () => {
      const settings = { ...DEFAULT_RELAY, attemptsBeforeParking: 1, saveIntervalMs: 1, pollIntervalMs: 5 }
      const relay = startRelay(ports, settings, () => {})
      metrics.watch({ relay: () => ({ isActive: relay.isActive(), isConnected: true }) })
      onTestFinished(async () => relay.stop())
      now += 10_000
    }
    return { metrics, start }
  }

  it('counts published events and their delay, and shows its position before and after', async () => {
    const { metrics, start } = await scene(makeInProcessPublisher([]))
    const before = await scrape(metrics)
    expect(before).toMatchObject({
      animal_store_relay_backlog: 2,
      animal_store_relay_oldest_age_seconds: 6,
      animal_store_relay_parked: 0,
      animal_store_relay_position: 0,
      animal_store_log_head: 2,
      animal_store_events_published_total: 0,
    })
    expect(before).not.toHaveProperty('animal_store_relay_is_active')
    start()
    await eventually(async () =>
      expect(await scrape(metrics)).toMatchObject({
        animal_store_relay_backlog: 0,
        animal_store_relay_oldest_age_seconds: 0,
        animal_store_relay_position: 2,
        animal_store_relay_is_active: 1,
        animal_store_broker_connected: 1,
        animal_store_events_published_total: 2,
        animal_store_events_failed_total: 0,
        animal_store_event_delay_seconds_sum: 32,
        'animal_store_event_delay_seconds_bucket{le="10"}': 0,
        'animal_store_event_delay_seconds_bucket{le="60"}': 2,
      }),
    )
  })

  it('counts failed attempts and parked events', async () => {
    const poisoned = { _tag: 'Poisoned', reason: 'too large' } as const
    const { metrics, start } = await scene({ publish: (events) => async () => events.map(() => poisoned) })
    start()
    await eventually(async () =>
      expect(await scrape(metrics)).toMatchObject({
        animal_store_events_published_total: 0,
        animal_store_relay_parked: 2,
      }),
    )
    expect((await scrape(metrics))['animal_store_events_failed_total']).toBeGreaterThanOrEqual(2)
  })

  it('shows the head of a store on which no relay has run', async () => {
    const metrics = await loadMetrics()
    metrics.watch({ store: { ...(await holding(10, 20)), clock: systemClock } })
    expect(await scrape(metrics)).toMatchObject({
      animal_store_log_head: 2,
      animal_store_relay_position: 2,
      animal_store_relay_backlog: 0,
    })
  })

  it('counts live keys that expire within a week and were not rotated', async () => {
    const metrics = await loadMetrics()
    const store = makeMemoryStore()
    metrics.watch({ store: { ...store, clock: { now: () => 1_000, monotonicMs: () => 0 } } })
    const week = 7 * 86_400_000
    const soon = { expiresAt: O.some(1_000 + week), revokedAt: O.none, successor: O.none }
    const keys = {
      soon,
      past: { ...soon, expiresAt: O.some(1_000) },
      later: { ...soon, expiresAt: O.some(1_001 + week) },
      never: { ...soon, expiresAt: O.none },
      revoked: { ...soon, revokedAt: O.some(900) },
      rotated: { ...soon, successor: O.some('next') },
    }
    for (const [id, members] of Object.entries(keys))
      await succeed(store.apiKeys.add({ ...anyApiKey, ...members, id, lineage: id }))
    expect(await scrape(metrics)).toHaveProperty('animal_store_api_keys_expiring', 1)
  })

  it('omits its numbers from a scrape if the store does not return them, and asks only once at a time', async () => {
    useFakeTimers()
    const metrics = await loadMetrics()
    const store = makeMemoryStore()
    let reads = 0
    const load = () => {
      reads += 1
      return new Promise<never>(() => {})
    }
    const clock = { now: () => 0, monotonicMs: () => 0 }
    metrics.watch({ store: { ...store, relay: { ...store.relay, load }, clock } })
    for (const failures of [1, 2]) {
      const scraped = scrape(metrics)
      await vi.advanceTimersByTimeAsync(2_000)
      const series = await scraped
      expect(series).toHaveProperty('animal_store_relay_read_failures_total', failures)
      expect(series).not.toHaveProperty('animal_store_relay_backlog')
    }
    expect(reads).toBe(1)
  })
})
