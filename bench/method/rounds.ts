// The one method of all comparisons: warm up, then short rounds that alternate between the servers, so that all of them
// meet the same moods of the machine; and of the rounds the 20th percentile, the part that repeats.
import { type Load, openLoad } from './load.js'
import type { Plan } from './plan.js'
import { quantile, rounded } from './quantile.js'
import type { Row } from './result.js'
import type { Server } from './server-process.js'

export interface Subject {
  readonly server: Server
  /** A whole HTTP request as it is sent. */
  readonly request: Buffer
  /** The status of the right answer. */
  readonly status: number
}

interface Sample {
  /** Microseconds of the server's CPU time per request. */
  readonly cpuMicros: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

const BEST = 0.2

const sampleOf = async ({ server }: Subject, load: Load, milliseconds: number): Promise<Sample> => {
  const before = await server.usage()
  const { requests, seconds, latenciesMs } = await load.run(milliseconds)
  const after = await server.usage()
  return {
    cpuMicros: (after.cpuMicros - before.cpuMicros) / requests,
    perSecond: requests / seconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  }
}

const rowOf = (name: string, server: string, samples: readonly Sample[]): Row => {
  const cpu = samples.map(({ cpuMicros }) => cpuMicros)
  return {
    case: name,
    server,
    values: {
      cpuMicros: rounded(quantile(cpu, BEST)),
      cpuMicrosMedian: rounded(quantile(cpu, 0.5)),
      cpuMicrosP80: rounded(quantile(cpu, 1 - BEST)),
      perSecond: rounded(
        quantile(
          samples.map(({ perSecond }) => perSecond),
          1 - BEST,
        ),
      ),
      p50Ms: rounded(
        quantile(
          samples.map(({ p50Ms }) => p50Ms),
          BEST,
        ),
      ),
      p99Ms: rounded(
        quantile(
          samples.map(({ p99Ms }) => p99Ms),
          BEST,
        ),
      ),
    },
  }
}

/** Measures one case: the same request to each of the servers, over so many connections. */
export const compare = async (
  name: string,
  subjects: readonly Subject[],
  connections: number,
  { rounds, roundMs, warmUpMs }: Plan,
): Promise<readonly Row[]> => {
  const loads: Load[] = []
  const samples: Sample[][] = subjects.map(() => [])
  try {
    for (const { server, request, status } of subjects) {
      const load = await openLoad(server.port, request, status, connections)
      loads.push(load)
      // at once: a server closes new connections that stay silent
      await load.run(warmUpMs)
    }
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < subjects.length; turn += 1) {
        // each server is as often the first as any other
        const at = (round + turn) % subjects.length
        const [subject, load] = [subjects[at], loads[at]]
        if (subject && load) samples[at]?.push(await sampleOf(subject, load, roundMs))
      }
    }
  } finally {
    for (const load of loads) load.close()
  }
  return subjects.map(({ server }, at) => rowOf(name, server.name, samples[at] ?? []))
}
