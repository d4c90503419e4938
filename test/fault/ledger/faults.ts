// The faults of a run are seeded: the target of each lane fails and recovers repeatedly.
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { TcpProxy } from '../../support/network/tcp-proxy.js'

/** Begins a fault; resolves to the function that ends it. */
type Fault = () => Promise<() => unknown>

export type Lane = Readonly<Record<string, Fault>>

export const linkFaults = (name: string, { cut, freeze, delay, heal }: TcpProxy): Lane => ({
  [`${name} cut`]: async () => {
    cut()
    return heal
  },
  [`${name} frozen`]: async () => {
    freeze()
    return heal
  },
  [`${name} late`]: async () => {
    delay(200)
    return heal
  },
})

const stepsOf = (seed: number) =>
  fc.sample(
    fc.record({
      afterMs: fc.integer({ min: 100, max: 5_000 }),
      // some faults are shorter than any time limit, some longer than most
      lastsMs: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 300, max: 5_000 })),
      choice: fc.nat(1_000_000),
    }),
    { seed, numRuns: 2_000 },
  )

/** Injects faults into all lanes at once; resolves to the number of each fault, once all have ended. */
export const injectFaults = async (
  seed: number,
  seconds: number,
  lanes: readonly Lane[],
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  const end = performance.now() + 1_000 * seconds
  const run = async (lane: Lane, steps: ReturnType<typeof stepsOf>): Promise<void> => {
    const faults = Object.entries(lane)
    for (const { afterMs, lastsMs, choice } of steps) {
      await sleep(Math.max(0, Math.min(afterMs, end - performance.now())))
      const chosen = faults[choice % faults.length]
      if (performance.now() >= end || chosen === undefined) return
      const [name, begin] = chosen
      const recover = await begin()
      counts.set(name, (counts.get(name) ?? 0) + 1)
      await sleep(Math.min(lastsMs, end - performance.now()))
      await recover()
    }
  }
  await Promise.all(lanes.map((lane, at) => run(lane, stepsOf(seed + at))))
  return counts
}
