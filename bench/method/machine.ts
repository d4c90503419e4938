// Everything that a figure depends on: the date, the commit, the machine, the versions and the plan.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { IS_PINNED } from './cores.js'
import { pathOf } from './paths.js'
import type { Plan } from './plan.js'

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: pathOf('.'), encoding: 'utf8' }).trim()

/** A plus sign marks uncommitted changes. */
const commit = (): string => {
  const isChanged = git('status', '--porcelain', '--', 'src', 'bench', 'package-lock.json') !== ''
  return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? '+' : ''}`
}

const FOLDERS = ['bench/node_modules', 'node_modules']
const PACKAGES = ['fastify', 'koa', 'better-sqlite3', 'mongodb']

const versionOf = (name: string): string => {
  const file = FOLDERS.map((folder) => pathOf(`${folder}/${name}/package.json`)).find(existsSync)
  const content: unknown = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'))
  return (content as { readonly version?: string }).version ?? 'none'
}

/** Two lines, published with the figures. */
export const conditions = ({ rounds, roundMs }: Plan): string => {
  const all = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const machine = `${all[0]?.model.trim() ?? 'unknown'}, ${all.length} cores, ${memory} GiB, ${type()} ${release()}`
  const versions = [`node ${process.versions.node}`, ...PACKAGES.map((name) => `${name} ${versionOf(name)}`)]
  const method = `${rounds} rounds of ${roundMs} ms per server, ${IS_PINNED ? 'pinned' : 'not pinned'}`
  const date = new Date().toISOString().slice(0, 10)
  return `Measured on ${date} at commit ${commit()} on ${machine};\n${method}; ${versions.join(', ')}.`
}
