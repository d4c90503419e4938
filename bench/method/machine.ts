// What a figure depends on: the machine, the versions and the commit.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem, type } from 'node:os'
import { pathOf } from './paths.js'
import type { Result } from './result.js'

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: pathOf('.'), encoding: 'utf8' }).trim()

/** The commit, with a plus sign if the tree has uncommitted changes. */
export const commit = (): string => {
  const isChanged = git('status', '--porcelain', '--', 'src', 'bench', 'package-lock.json') !== ''
  return `${git('rev-parse', '--short=12', 'HEAD')}${isChanged ? '+' : ''}`
}

const FOLDERS = ['bench/node_modules', 'node_modules']
const PACKAGES = ['fastify', 'koa', '@koa/router', 'koa-bodyparser', 'better-sqlite3', 'lmdb', 'mongodb', 'pino']

const versionOf = (name: string): string => {
  const file = FOLDERS.map((folder) => pathOf(`${folder}/${name}/package.json`)).find(existsSync)
  const content: unknown = file === undefined ? {} : JSON.parse(readFileSync(file, 'utf8'))
  return (content as { readonly version?: string }).version ?? 'none'
}

export const versions = (): Result['versions'] => ({
  node: process.versions.node,
  ...Object.fromEntries(PACKAGES.map((name) => [name, versionOf(name)] as const)),
})

export const machine = (): Result['machine'] => {
  const all = cpus()
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: `${type()} ${release()}`,
  }
}
