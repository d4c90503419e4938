// Warms up, then alternates short rounds between the servers, so that a change in the machine's speed affects them all.
// Keeps the limit of the best fifth of the rounds, because it repeats best.
import { type Load, openLoad, type Round } from './load.js'
import type { Plan } from './plan.js'
import { quantile, rounded } from './quantile.js'
import type { Row } from './row.js'
import type { Server } from './server-process.js'

type Figures = Readonly<Record<string, number>>

export interface Subject {
  readonly server: Server
  /** Complete HTTP requests, sent in turn. */
  readonly requests: readonly Buffer[]
  /** The expected status. */
  readonly status: number
  /** Called before a round. The returned function is called after it, waits for unfinished work and adds figures. */
  readonly observe?: () => Promise<(round: Round) => Promise<Figures>>
}

const BEST = 0.2

const sampleOf = async ({ server, observe }: Subject, load: Load, milliseconds: number): Promise<Figures> => {
  const finish = await observe?.()
  const before = await server.usage()
  const round = await load.run(milliseconds)
  const added = await finish?.(round)
  const { cpuMicros } = await server.usage()
  return {
    cpuMicros: (cpuMicros - before.cpuMicros) / round.requests,
    perSecond: round.requests / round.seconds,
    p50Ms: quantile(round.latenciesMs, 0.5),
    p99Ms: quantile(round.latenciesMs, 0.99),
    ...added,
  }
}

/** The 80th percentile of a rate, the 20th of any other figure. */
const figuresOf = (samples: readonly Figures[]): Figures => {
  const valuesOf = (name: string): readonly number[] => samples.map((sample) => sample[name] ?? Number.NaN)
  const names = Object.keys(samples[0] ?? {})
  const best = names.map((name) => {
    const share = name.endsWith('PerSecond') || name === 'perSecond' ? 1 - BEST : BEST
    return [name, rounded(quantile(valuesOf(name), share))] as const
  })
  return Object.fromEntries(best)
}

/** Sends the same requests to each server, over the same number of connections. */
export const compare = async (
  name: string,
  subjects: readonly Subject[],
  connections: number,
  { rounds, roundMs, warmUpMs }: Plan,
): Promise<readonly Row[]> => {
  const loads: Load[] = []
  const samples: Figures[][] = subjects.map(() => [])
  try {
    for (const { server, requests, status } of subjects) {
      const load = await openLoad(server.port, requests, status, connections)
      loads.push(load)
      // at once, because a server closes new connections that stay silent
      await load.run(warmUpMs)
    }
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < subjects.length; turn += 1) {
        // each server goes first equally often
        const at = (round + turn) % subjects.length
        const [subject, load] = [subjects[at], loads[at]]
        if (subject && load) samples[at]?.push(await sampleOf(subject, load, roundMs))
      }
    }
  } finally {
    for (const load of loads) load.close()
  }
  return subjects.map(({ server }, at) => ({
    case: name,
    server: server.name,
    values: figuresOf(samples[at] ?? []),
  }))
}
