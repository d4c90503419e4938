// Runs attacks. During each, the service serves other clients, uses little memory and logs no failure.
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Environment } from '../support/processes/cli-process.js'
import { byNight, isNight } from '../support/runner/night.js'
import { launchTarget, type Target } from './target.js'

export interface Attack {
  readonly attack: string
  /** The end of the test's title. */
  readonly holds: string
  readonly run: (target: Target) => Promise<void>
  /** Limit in milliseconds for other clients' responses during the attack; 1,000 by default. */
  readonly liveWithinMs?: number
  /** Limit in MiB for the growth of the service's memory; 100 by default. */
  readonly growthMiB?: number
}

const LIVE_WITHIN_MS = 1_000
const MAX_GROWTH_MIB = 100
/** The gate only requires a response: its time and the uncollected garbage depend on the machine. */
const bound = (limit: number): number => byNight(limit, Number.POSITIVE_INFINITY)
const WARM_UP_REQUESTS = 200
const BODY = '{"name":"honest","categoryId":1}'

const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kibibytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kibibytes === undefined) throw new Error(`/proc/${pid}/status has no ${field}`)
  return Number(kibibytes) / 1_024
}

const residentMiB = (pid: number): number => memoryOf(pid, 'VmRSS')

/** The largest resident memory since `resetPeak`, in MiB. */
const peakMiB = (pid: number): number => memoryOf(pid, 'VmHWM')

/** See proc(5), clear_refs. */
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** So that the baseline is the memory of a service in use. */
const warmUp = async (target: Target): Promise<void> => {
  expect((await target.call('GET', '/docs/swagger-ui-bundle.js')).status).toBe(200)
  for (let sent = 0; sent < WARM_UP_REQUESTS; sent += 2) {
    await target.call('POST', '/v1/pets', { body: BODY })
    await target.call('GET', '/v1/pets?limit=100')
  }
  await target.endAttack()
}

const expectService = async ({ call }: Target): Promise<void> => {
  const created = await call('POST', '/v1/pets', { body: BODY })
  expect(created.status).toBe(201)
  // by id, because a request of the attack may still add pets
  const { id } = created.json as { readonly id: bigint }
  expect((await call('GET', `/v1/pets?id=${id}`)).json).toEqual([created.json])
}

/**
 * Runs an attack; resolves to the milliseconds of the slowest probe, or Infinity if a probe failed. Probes run one
 * after another, each on a new connection, and exclude the time that service and probe waited for a processor.
 */
const slowestProbeMs = async ({ run }: Attack, target: Target): Promise<number> => {
  const workerData = { port: target.port, pid: target.service.pid }
  const probes = new Worker(new URL('liveness-probe.mjs', import.meta.url), { workerData })
  const slowest = once(probes, 'message') as Promise<[number]>
  try {
    await run(target)
  } finally {
    await target.endAttack()
    probes.postMessage('end')
    await slowest
  }
  return (await slowest)[0]
}

/** Attacks with their own time limit are repeated, because other work on the machine only makes a response slower. */
const MAX_ROUNDS = 4

const bestOf = async (firstMs: number, row: Attack, target: Target): Promise<number> => {
  const { liveWithinMs } = row
  let bestMs = firstMs
  for (let round = 1; isNight && round < MAX_ROUNDS && bestMs >= (liveWithinMs ?? Number.POSITIVE_INFINITY); round += 1)
    bestMs = Math.min(bestMs, await slowestProbeMs(row, target))
  return bestMs
}

export const describeAttacks = (title: string, settings: Environment, attacks: readonly Attack[]): void => {
  describe(title, () => {
    let target: Target
    let baselineMiB: number

    beforeAll(async () => {
      target = await launchTarget(settings)
      await warmUp(target)
      baselineMiB = residentMiB(target.service.pid)
      return target.remove
    })

    for (const row of attacks) {
      it(`${row.attack}: ${row.holds}`, async () => {
        const { pid } = target.service
        resetPeak(pid)
        const logBefore = target.service.stdout().length
        const firstMs = await slowestProbeMs(row, target)
        // measured before more rounds add garbage
        const growthMiB = peakMiB(pid) - baselineMiB
        const slowestMs = await bestOf(firstMs, row, target)
        expect(slowestMs, 'ms of the slowest /health/live').toBeLessThan(bound(row.liveWithinMs ?? LIVE_WITHIN_MS))
        expect(growthMiB, 'MiB more than before').toBeLessThan(bound(row.growthMiB ?? MAX_GROWTH_MIB))
        await expectService(target)
        const logged = target.service.stdout().slice(logBefore)
        expect(logged).not.toMatch(/^\{"level":"(?:error|fatal)"/m)
      })
    }

    // an attack may leave something that delays the stop
    it('stops normally afterwards', async () => {
      expect(await target.service.end('SIGTERM')).toBe(0)
    })
  })
}
