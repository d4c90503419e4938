// Durations and defaults of the command line, read where they arrive: in the stored keys.
import { describe, expect, it } from 'vitest'
import { timeLeft } from '../../src/commands/store/progress.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

it('what is left of a command is estimated in seconds, by its rate, from its first second on', () => {
  expect([timeLeft(999, 10, 30), timeLeft(2_000, 10, 30), timeLeft(2_000, 0, 30)]).toStrictEqual(['', ', 6 s left', ''])
})

describe('a duration', () => {
  const scene = async () => {
    const DATA_DIR = await temporaryPath()
    return async (...words: readonly string[]): Promise<unknown> =>
      JSON.parse((await runCommand({ DATA_DIR }, 'keys', ...words, '--json')).stdout)
  }

  it.each([
    ['90s', 1.5 * MINUTE_MS],
    ['5m', 5 * MINUTE_MS],
    ['12h', 12 * HOUR_MS],
    ['30d', 30 * 24 * HOUR_MS],
  ])('of %s is the exact life of a new key', async (text, milliseconds) => {
    const run = await scene()
    const { createdAt, expiresAt } = (await run('create', '--expires', text)) as Record<string, string>
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBe(milliseconds)
  })

  it.each<[string, readonly string[], number]>([
    ['24 hours by default', [], 24 * HOUR_MS],
    ['an hour if that is asked for', ['--overlap', '1h'], HOUR_MS],
  ])('is how long a rotated key stays valid: %s', async (_, options, milliseconds) => {
    const run = await scene()
    const { id = '' } = (await run('create')) as Record<string, string>
    const before = Date.now()
    await run('rotate', id, ...options)
    const [rotated] = (await run('list')) as readonly Record<string, string>[]
    const life = Date.parse(rotated?.['expiresAt'] ?? '') - before
    expect(life).toBeGreaterThanOrEqual(milliseconds)
    expect(life).toBeLessThan(milliseconds + MINUTE_MS)
  })
})
