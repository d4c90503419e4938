// Runs around every file of tests. Fails it if it leaves anything open: a connection, a port, a process, a thread, a timer, a file
// or a listener of the process or of a signal; and if Node has warned, here or in a process that the tests started.
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect } from 'vitest'
import { collectGarbage, openFiles } from './open-files.js'
import { takeWarnings, warnedBy } from './warnings.js'

/** Connections that `fetch` keeps close by themselves after 4 s, later on a busy machine. */
const PATIENCE_MS = 30_000
/** Less than the limits of the service, whose timers are to end with what they limit. */
const TIMER_PATIENCE_MS = 1_000
const INTERVAL_MS = 20

/** They end in the same turn or the next ones. */
const PASSING = new Set(['Immediate', 'CloseReq', 'FSReqPromise', 'FSReqCallback'])

/** Once per process: of the writer of the log, and of the package in which testcontainers keeps temporary files. */
const KEPT = new Set(['listener of exit: onExit', 'listener of exit: _garbageCollector'])

const listeners = (): readonly string[] =>
  process
    .eventNames()
    .flatMap((name) =>
      process.listeners(name as 'exit').map((listener) => `listener of ${String(name)}: ${listener.name}`),
    )

/** Of the service and the client, at signals: they outlive what listens. The first line of its stack says where each was added. */
const waiting = new Map<AbortSignal, Map<unknown, string>>()

const watchSignals = (): (() => void) => {
  type Words = Parameters<EventTarget['addEventListener']>
  const watched = {
    addEventListener(this: AbortSignal, ...words: Words): void {
      const [, by = ''] = /^\s+at .*\n(\s+at .*)/m.exec(new Error('added').stack ?? '') ?? []
      const known = waiting.get(this) ?? new Map<unknown, string>()
      if (by.includes('/src/')) waiting.set(this, known.set(words[1], by))
      EventTarget.prototype.addEventListener.apply(this, words)
    },
    removeEventListener(this: AbortSignal, ...words: Words): void {
      waiting.get(this)?.delete(words[1])
      EventTarget.prototype.removeEventListener.apply(this, words)
    },
  }
  Object.assign(AbortSignal.prototype, watched)
  return () => {
    for (const name of Object.keys(watched)) Reflect.deleteProperty(AbortSignal.prototype, name)
    waiting.clear()
  }
}

const open = (): readonly string[] => [
  ...process.getActiveResourcesInfo().filter((type) => !PASSING.has(type)),
  ...openFiles(),
  ...listeners().filter((line) => !KEPT.has(line)),
  ...[...waiting].flatMap(([{ aborted }, added]) => (aborted ? [] : [...added.values()])),
]

/** The lines beyond those that are known. */
const without = (lines: readonly string[], known: readonly string[]): readonly string[] => {
  const left = [...lines]
  for (const line of known) if (left.includes(line)) left.splice(left.indexOf(line), 1)
  return left
}

beforeAll(() => {
  const before = open()
  const unwatch = watchSignals()
  process.on('warning', warnedBy)
  return async () => {
    process.off('warning', warnedBy)
    let left = without(open(), before)
    const patienceMs = (): number => (left.includes('Timeout') ? TIMER_PATIENCE_MS : PATIENCE_MS)
    for (let waitedMs = 0; left.length > 0 && waitedMs < patienceMs(); waitedMs += INTERVAL_MS) {
      if (left.some((line) => line.includes('.db'))) collectGarbage()
      await setTimeout(INTERVAL_MS)
      left = without(open(), before)
    }
    unwatch()
    expect(left, 'left open by the tests of this file').toStrictEqual([])
    expect(takeWarnings(), 'warnings of Node').toStrictEqual([])
  }
})
