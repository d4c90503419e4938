// Servers run on one core and the load on another, so that neither takes time from the other.
import { execFileSync, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const SERVER_CORE = 0
const LOAD_CORE = availableParallelism() - 1

/** False on a machine without taskset (macOS) or with a single core. */
export const IS_PINNED = LOAD_CORE > SERVER_CORE && spawnSync('taskset', ['--version']).status === 0

export const onServerCore = (command: readonly [string, ...string[]]): readonly [string, ...string[]] =>
  IS_PINNED ? ['taskset', '-c', String(SERVER_CORE), ...command] : command

export const moveToLoadCore = (): void => {
  if (IS_PINNED) execFileSync('taskset', ['-acp', String(LOAD_CORE), String(process.pid)], { stdio: 'ignore' })
}
