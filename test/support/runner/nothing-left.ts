// Runs around every file of tests. Fails it if it leaves anything open: a connection, a port, a process, a thread, a timer, a file
// or a listener of the process; and if Node has warned, here or in a process that the tests started.
import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect } from 'vitest'
import { takeWarnings, warnedBy } from './warnings.js'

/** Connections that `fetch` keeps close by themselves after 4 s. */
const PATIENCE_MS = 8_000
const INTERVAL_MS = 20

/** They end in the same turn or the next ones. */
const PASSING = new Set(['Immediate', 'CloseReq', 'FSReqPromise', 'FSReqCallback'])

/** The paths of the files that this process has open. */
const openFiles = (): readonly string[] => {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`)
      return path.startsWith('/') && !path.startsWith('/dev/') ? [path] : []
    } catch {
      // the folder that was just listed
      return []
    }
  })
}

/** Of the writer of the log, once per process. */
const KEPT = 'listener of exit: onExit'

const listeners = (): readonly string[] =>
  process
    .eventNames()
    .flatMap((name) =>
      process.listeners(name as 'exit').map((listener) => `listener of ${String(name)}: ${listener.name}`),
    )

const open = (): readonly string[] => [
  ...process.getActiveResourcesInfo().filter((type) => !PASSING.has(type)),
  ...openFiles(),
  ...listeners().filter((line) => line !== KEPT),
]

/** The lines beyond those that are known. */
const without = (lines: readonly string[], known: readonly string[]): readonly string[] => {
  const left = [...lines]
  for (const line of known) if (left.includes(line)) left.splice(left.indexOf(line), 1)
  return left
}

beforeAll(() => {
  const before = open()
  process.on('warning', warnedBy)
  return async () => {
    process.off('warning', warnedBy)
    let left = without(open(), before)
    for (let waitedMs = 0; left.length > 0 && waitedMs < PATIENCE_MS; waitedMs += INTERVAL_MS) {
      await setTimeout(INTERVAL_MS)
      left = without(open(), before)
    }
    expect(left, 'left open by the tests of this file').toStrictEqual([])
    expect(takeWarnings(), 'warnings of Node').toStrictEqual([])
  }
})
