// The client against the real service behind a bad network: no pet is lost or duplicated.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orThrow } from '../../src/client/client-error.js'
import { makeClient } from '../../src/client/make-client.js'
import { MAX_INT64 } from '../../src/domain/codecs/scalar.js'
import { openProxy } from '../support/network/tcp-proxy.js'
import { issueKey, startServiceProcess } from '../support/processes/service-process.js'
import { eventually } from '../support/runner/eventually.js'
import { byNight } from '../support/runner/night.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const WORKERS = 12
const PETS_PER_WORKER = byNight(25, 8)
const RESTARTS = byNight(4, 1)

/** Loses one reply in five after the service has done the work. The seed makes every run the same. */
const losses = fc.sample(fc.integer({ min: 0, max: 4 }), { seed: 13, numRuns: 10_000 }).map((roll) => roll === 0)

describe('the client', () => {
  it('adds each pet once, through lost replies, 429, 503, cuts and kills', async () => {
    // twelve workers often exceed these rate and load limits
    const settings = {
      DATA_DIR: await temporaryFolder(),
      RATE_LIMIT_PER_SECOND: '25',
      RATE_LIMIT_BURST: '3',
      MAX_IN_FLIGHT: '1',
    }
    const key = await issueKey(settings)
    let service = await startServiceProcess(settings)
    const { port } = new URL(service.url)
    let lost = 0
    let replies = 0
    const proxy = await openProxy(Number(port), () => ({
      request: () => {},
      reply: (bytes) => {
        replies += 1
        if (losses[replies] !== true) return bytes
        lost += 1
        return 'reset'
      },
    }))

    const statuses: number[] = []
    const client = makeClient({
      baseUrl: `http://127.0.0.1:${proxy.port}/v1`,
      apiKey: key,
      attemptTimeoutMs: 2_000,
      maxAttempts: 1_000,
      backOff: { initialMs: 20, maxMs: 500 },
      platform: {
        fetch: async (request) => {
          const response = await fetch(request)
          statuses.push(response.status)
          return response
        },
      },
    })

    const acknowledged = new Map<string, bigint>()
    let replayed = 0
    const reached = (goal: number) => eventually(() => expect(acknowledged.size).toBeGreaterThanOrEqual(goal))
    const work = async (worker: number): Promise<void> => {
      for (let turn = 0; turn < PETS_PER_WORKER; turn += 1) {
        const name = `${worker}-${turn}`
        const added = orThrow(await client.createPet({ name, categoryId: MAX_INT64 }))
        acknowledged.set(name, added.pet.id)
        if (added.replayed) replayed += 1
      }
    }
    const working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))

    const total = WORKERS * PETS_PER_WORKER
    for (let restart = 1; restart <= RESTARTS; restart += 1) {
      await reached((restart * total) / (RESTARTS + 2))
      await service.end('SIGKILL')
      service = await startServiceProcess({ ...settings, PORT: port })
    }
    await reached(((RESTARTS + 1) * total) / (RESTARTS + 2))
    proxy.cut()
    proxy.heal()
    await working

    const stored: (readonly [string, bigint])[] = []
    for await (const page of client.pages({ limit: 7 }))
      stored.push(...orThrow(page).pets.map(({ name, id }) => [name, id] as const))
    expect(stored.toSorted()).toStrictEqual([...acknowledged].toSorted())
    expect(stored).toHaveLength(total)
    // faults did occur
    expect(lost).toBeGreaterThan(total / 10)
    expect(replayed).toBeGreaterThan(total / 20)
    // a busy machine stays below the rate
    const wanted = byNight([429, 503], [503])
    expect(wanted.filter((status) => !statuses.includes(status))).toStrictEqual([])
  })
})
