// The ledger for the fault tests of events.
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { makeEventLedger } from '../support/nats/event-ledger.js'
import { storedMessages } from '../support/nats/nats-broker.js'
import { openConnection } from '../support/nats/test-broker.js'
import type { Environment } from '../support/processes/cli-process.js'
import { issueKey, runCommand, startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'

export const SUBJECT = 'org.animal-store.pet.created.v1'

export const ledgerOf = async (settings: Environment) => {
  const key = await issueKey(settings)
  const ledger = makeEventLedger()
  /** Creates pets with four concurrent callers until stopped; resolves to the number of refused creates. */
  const load = (url: string, pauseMs = 0) => {
    let isOn = true
    let refused = 0
    const caller = async (): Promise<void> => {
      while (isOn) {
        if (!(await ledger.create(url, key, 'Rex \0 \u{1f436}'))) refused += 1
        if (pauseMs > 0) await pause(pauseMs)
      }
    }
    const callers = Promise.all([caller(), caller(), caller(), caller()])
    return async (): Promise<number> => {
      isOn = false
      await callers
      return refused
    }
  }
  /** Sees messages as they are published, including duplicates that the stream would drop. */
  const listen = async (url: string, heard = (): void => {}): Promise<void> => {
    const connection = await openConnection(url, { maxReconnectAttempts: -1, reconnectTimeWait: 50 })
    connection.subscribe(SUBJECT, {
      callback: (_, message) => {
        ledger.see(message.string())
        heard()
      },
    })
    await connection.flush()
  }
  const drained = () =>
    eventually(
      async () => {
        const backlog: unknown = JSON.parse(await runCommand(settings, 'events', 'backlog', '--json'))
        expect(backlog).toStrictEqual({ backlog: 0, oldestSeconds: null, parked: 0 })
      },
      { timeout: 40_000, interval: 250 },
    )
  /** Serves requests while the receiver is down, and sends it every event once it is back. */
  const outlast = async (hasEnough: () => void, begin: () => unknown, end: () => unknown): Promise<void> => {
    const { url } = await startServiceProcess(settings)
    const stopLoad = load(url)
    await eventually(hasEnough)
    await begin()
    const before = ledger.acknowledged()
    await eventually(() => expect(ledger.acknowledged()).toBeGreaterThan(before + 100))
    expect((await fetch(url.replace('/v1', '/health/ready'))).status).toBe(200)
    expect(await stopLoad()).toBe(0)
    await end()
    await drained()
  }
  const readStream = async (url: string): Promise<void> => {
    for (const { text } of await storedMessages(url, SUBJECT)) ledger.see(text)
  }
  return { ...ledger, key, load, listen, drained, outlast, readStream }
}
