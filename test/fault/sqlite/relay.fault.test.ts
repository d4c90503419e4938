// Two processes add pets to one folder and relay their events; one of them is killed at each step of a create and of the relay.
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../../src/ports/event-log.js'
import { headOf, makeReader, numbersOf, readThrough } from '../../../src/testing/contracts/event-log-samples.js'
import { openStoreIn } from '../../adapters/sqlite/open-store.js'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { startCli } from '../../support/processes/cli-process.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const SCRIPT = bundleProgram(fileURLToPath(new URL('relaying-writer.ts', import.meta.url)))

/** A process that kills itself at the nth time of the step. */
const start = (folder: string, step = 'none', nth = 0) => {
  const { stdout, exit, signal } = startCli([SCRIPT], {}, folder, step, String(nth))
  /** The numbers on the whole lines that it has printed of this kind. */
  const printedAs = (kind: 'added' | 'sent' | 'overtaken'): readonly number[] =>
    stdout()
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => (line.startsWith(`${kind} `) ? [Number(line.split(' ')[1])] : []))
  const more = (kind: 'added' | 'sent', count: number) => {
    const goal = printedAs(kind).length + count
    return expect.poll(() => printedAs(kind).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(goal)
  }
  return { printedAs, more, exit, stop: () => signal('SIGTERM') }
}

/** Reads the log as it grows. */
const follow = (log: EventLog) => {
  const { read, through } = makeReader(log)
  let isOver = false
  const reading = (async () => {
    while (!isOver) {
      await read(50)
      await sleep(1)
    }
  })()
  return async (): Promise<readonly number[]> => {
    isOver = true
    await reading
    return numbersOf({ events: await through(await headOf({ log })) })
  }
}

const STEPS = [
  ...['before draw', 'after draw', 'before add', 'after add'].map((step) => [step, 150] as const),
  ...['before publish', 'within publish', 'after publish', 'before save', 'after save'].map(
    (step) => [step, 8] as const,
  ),
]

describe('two processes that add pets to one folder and relay their events', () => {
  it.each(STEPS)(
    'lose no event, and show none too late, when one is killed %s',
    { timeout: 60_000 },
    async (step, nth) => {
      const folder = await temporaryPath()
      const { log } = await openStoreIn(folder)
      const followed = follow(log)
      const victim = start(folder, step, nth)
      // the first one relays
      await victim.more('added', 1)
      const survivor = start(folder)
      expect(await victim.exit).toBe(null)
      await survivor.more('added', 300)
      await survivor.more('sent', 100)
      survivor.stop()
      expect(await survivor.exit).toBe(0)

      const numbers = numbersOf({ events: await readThrough(log, await headOf({ log })) })
      const stored = new Set(numbers)
      expect(await followed(), 'a reader that continues sees what one from the start sees').toStrictEqual(numbers)
      const both = [victim, survivor] as const
      expect(both.flatMap(({ printedAs }) => printedAs('added')).filter((id) => !stored.has(id))).toStrictEqual([])
      const sent = new Set(both.flatMap(({ printedAs }) => printedAs('sent')))
      expect(numbers.filter((number) => !sent.has(number))).toStrictEqual([])
      expect([...sent].filter((number) => !stored.has(number))).toStrictEqual([])
      expect(both.flatMap(({ printedAs }) => printedAs('overtaken')).length).toBeGreaterThan(0)
    },
  )
})
