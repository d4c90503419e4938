// The feed of two processes on one store, while the processes and their clients' connections are repeatedly killed.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ClientError, orThrow } from '../../src/client/client-error.js'
import { makeClient } from '../../src/client/make-client.js'
import { describeWith } from '../support/containers/describe-with.js'
import { testDatabase } from '../support/mongodb/test-database.js'
import { openProxy } from '../support/network/tcp-proxy.js'
import type { Environment } from '../support/processes/cli-process.js'
import { startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { byNight } from '../support/runner/night.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { ledgerOf } from './event-scene.js'

/** The nightly run injects as many faults as fit; the gate only the first 9, which kill and cut off each service. */
const SECONDS = byNight(300, 100)

const FAULTS = fc.sample(
  fc.record({ isKill: fc.boolean(), target: fc.nat(1), afterMs: fc.integer({ min: 0, max: 400 }) }),
  { seed: 24, numRuns: byNight(5_000, 9) },
)

const makeFollower = (url: string, apiKey: string, ended: AbortSignal) => {
  const numbers: number[] = []
  let connections = 0
  const platform = {
    fetch: (request: Request) => {
      connections += 1
      return fetch(request)
    },
  }
  const client = makeClient({ baseUrl: `${url}/v1`, apiKey, backOff: { initialMs: 20, maxMs: 200 }, platform })
  const follow = async (): Promise<ClientError | undefined> => {
    for await (const event of client.events({ after: 'oldest', signal: ended })) {
      if (!event.ok) return event.error
      numbers.push(Number(event.value.pet.id))
    }
    return undefined
  }
  return { numbers, following: follow(), connections: () => connections }
}

/** Events have the numbers of their pets. */
const numbersAt = async (url: string, apiKey: string): Promise<readonly number[]> => {
  const numbers: number[] = []
  for await (const page of makeClient({ baseUrl: new URL('/v1', url).href, apiKey }).pages({ limit: 100 }))
    numbers.push(...orThrow(page).pets.map(({ id }) => Number(id)))
  return numbers.toReversed()
}

const followThroughFaults = async (settings: Environment): Promise<void> => {
  const { key, load, acknowledgedIds } = await ledgerOf(settings)
  const services = [await startServiceProcess(settings), await startServiceProcess(settings)]
  const urls = services.map(({ url }) => url)
  const ports = urls.map((url) => new URL(url).port)
  const proxies = [await openProxy(Number(ports[0])), await openProxy(Number(ports[1]))]
  const following = new AbortController()
  const followers = proxies.map(({ port }) => makeFollower(`http://127.0.0.1:${port}`, key, following.signal))

  const stops = urls.map((url) => load(url, 10))
  const until = performance.now() + 1_000 * SECONDS
  for (const { isKill, target, afterMs } of FAULTS) {
    if (performance.now() > until) break
    await sleep(afterMs)
    if (isKill) {
      await services[target]?.end('SIGKILL')
      services[target] = await startServiceProcess({ ...settings, PORT: ports[target] ?? '' })
    } else {
      proxies[target]?.cut()
      proxies[target]?.heal()
    }
  }
  for (const stop of stops) await stop()
  const acknowledged = acknowledgedIds()

  const compare = async (): Promise<void> => {
    const numbers = await numbersAt(urls[0] ?? '', key)
    const known = new Set(numbers)
    expect(acknowledged.filter((id) => !known.has(id))).toStrictEqual([])
    for (const follower of followers) expect(follower.numbers).toStrictEqual(numbers)
  }
  // in MongoDB, a killed create delays later events for a while
  await eventually(compare, { timeout: 60_000, interval: 500 })
  following.abort()
  expect(await Promise.all(followers.map((one) => one.following))).toMatchObject([
    { _tag: 'aborted' },
    { _tag: 'aborted' },
  ])
  // faults did occur
  for (const follower of followers) expect(follower.connections()).toBeGreaterThan(1)
  expect(acknowledged.length).toBeGreaterThan(0)
}

const title =
  'shows every event once and in order, through kill -9 of services and cuts of connections [feed-positions]'
const timeout = 1_000 * (SECONDS + 100)

it(`the feed of an embedded store ${title}`, { timeout }, async () => {
  await followThroughFaults({ DATA_DIR: await temporaryFolder() })
})

describeWith('mongodb', 'the feed on MongoDB', (address) => {
  const { uri } = testDatabase(address)
  it(title, { timeout }, () => followThroughFaults({ MONGODB_URI: uri }))
})
