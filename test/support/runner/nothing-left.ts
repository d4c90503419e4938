// Runs around every test file. Fails it if Node has warned, here or in a child process, or if the file leaves
// open a connection, port, process, thread, timer, file, or listener of the process or of a signal.
import { setTimeout } from 'node:timers/promises'
import { beforeAll, expect } from 'vitest'
import { collectGarbage, openFiles } from './open-files.js'
import { takeWarnings, warnedBy } from './warnings.js'

/** `fetch` closes idle connections after 4 s, later on a busy machine. */
const PATIENCE_MS = 30_000
/** Less than the limits of the service, whose timers must end with what they limit. */
const TIMER_PATIENCE_MS = 1_000
const INTERVAL_MS = 20

/** These end within a few turns of the event loop. */
const PASSING = new Set(['Immediate', 'CloseReq', 'FSReqPromise', 'FSReqCallback'])

/** Added once per process, by the log's writer and by the package that keeps testcontainers' temporary files. */
const KEPT = new Set(['listener of exit: onExit', 'listener of exit: _garbageCollector'])

const listeners = (): readonly string[] =>
  process
    .eventNames()
    .flatMap((name) =>
      process.listeners(name as 'exit').map((listener) => `listener of ${String(name)}: ${listener.name}`),
    )

/** Signal listeners that the service and the client added, each with the line of the stack that added it. */
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

/** Removes each known line once. */
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
