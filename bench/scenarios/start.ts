// Start times: the service and its peers until they answer, commands until they end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onServerCore } from '../method/cores.js'
import { withDeadline } from '../method/deadline.js'
import { BASE_URL, learn } from '../method/learn.js'
import { pathOf, SERVICE } from '../method/paths.js'
import { quantile, rounded } from '../method/quantile.js'
import { figureOf, type Row } from '../method/row.js'
import { type ServerSpec, withServers } from '../method/server-process.js'
import { cell, markdownTable, ratio } from '../report/markdown.js'
import type { Scenario } from './scenario.js'

type Environment = Readonly<Record<string, string>>

const COMMAND_MS = 30_000
const SERVICE_NAME = 'animal-store'

interface Subject {
  readonly case: string
  readonly server: string
  readonly measure: () => Promise<Readonly<Record<string, number>>>
}

const serverSubject = (name: string, spec: ServerSpec): Subject => ({
  case: name,
  server: spec.name,
  measure: () =>
    withServers(async (start) => {
      const { startMs, usage } = await start(spec)
      return { ms: startMs, residentMiB: (await usage()).residentBytes / 2 ** 20 }
    }),
})

const commandSubject = (name: string, server: string, args: readonly string[], environment: Environment): Subject => ({
  case: name,
  server,
  measure: async () => {
    const [command, ...rest] = onServerCore([process.execPath, ...args])
    const begin = performance.now()
    const child = spawn(command, rest, { env: { PATH: process.env['PATH'], ...environment }, stdio: 'ignore' })
    const [code] = (await withDeadline(once(child, 'exit'), COMMAND_MS, name)) as [number | null]
    const ms = performance.now() - begin
    if (code !== 0) throw new Error(`${name} ended with ${code}`)
    return { ms }
  },
})

const rowOf = ({ case: name, server }: Subject, samples: readonly Readonly<Record<string, number>>[]): Row => {
  const figures = Object.keys(samples[0] ?? {}).map((figure) => {
    const values = samples.map((sample) => sample[figure] ?? Number.NaN)
    return [figure, rounded(quantile(values, 0.2))] as const
  })
  return { case: name, server, values: Object.fromEntries(figures) }
}

/** Starts a service only to learn what the peers must know. */
const learned = (memory: Environment): Promise<Environment> =>
  withServers(async (start) => {
    const service = await start({ name: SERVICE_NAME, program: [SERVICE, 'serve'], environment: memory })
    return learn(service, await service.printed(/(ast_live_\w+)/))
  })

export const start: Scenario = {
  name: 'start',
  run: async ({ plan, folder, progress }) => {
    const memory = { STORE: 'memory', PUBLIC_URL: BASE_URL }
    const embedded = { STORE: 'embedded', DATA_DIR: join(folder, 'data') }
    const environment = await learned(memory)
    const service = { name: SERVICE_NAME, program: [SERVICE, 'serve'] } as const
    const commands = [['--help'], ['keys', 'list'], ['keys', 'create'], ['events', 'backlog']]
    const subjects = [
      serverSubject('ready', { name: 'Fastify', program: [pathOf('bench/dist/fastify.js')], environment }),
      serverSubject('ready', { name: 'plain Koa', program: [pathOf('bench/dist/koa.js')], environment }),
      serverSubject('ready', { ...service, environment: memory }),
      serverSubject('ready, embedded store', { ...service, environment: embedded }),
      commandSubject('node -e 0', 'node', ['-e', '0'], {}),
      ...commands.map((args) => commandSubject(args.join(' '), SERVICE_NAME, [SERVICE, ...args], embedded)),
    ]
    const samples = subjects.map((): Readonly<Record<string, number>>[] => [])
    for (let round = 0; round < plan.rounds; round += 1) {
      progress(`round ${round + 1}`)
      for (const [at, { measure }] of subjects.entries()) samples[at]?.push(await measure())
    }
    return subjects.map((subject, at) => rowOf(subject, samples[at] ?? []))
  },
  table: (measured) => {
    const peer = figureOf(measured, 'ready', 'Fastify', 'ms')
    const rows = measured.map(({ case: name, server, values: { ms = Number.NaN, residentMiB = Number.NaN } }) => [
      `${server}: ${name}`,
      cell(ms),
      name.startsWith('ready') ? ratio(ms / peer) : '',
      cell(residentMiB),
    ])
    return markdownTable(['start', 'ms', 'of Fastify', 'resident MiB'], rows)
  },
}
