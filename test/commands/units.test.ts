// Durations and defaults of the command line, read where they arrive: in the stored keys.
import { beforeEach, describe, expect, it } from 'vitest'
import { timeLeft } from '../../src/commands/store/progress.js'
import { runCommand } from '../support/processes/run-command.js'
import { temporaryPath } from '../support/runner/temporary-folder.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

interface KeyView {
  readonly id: string
  readonly createdAt: string
  readonly expiresAt: string | null
}

it('what is left of a command is estimated in seconds, by its rate, from its first second on', () => {
  expect([timeLeft(999, 10, 30), timeLeft(2_000, 10, 30), timeLeft(2_000, 0, 30)]).toStrictEqual(['', ', 6 s left', ''])
})

describe('a duration', () => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
  })

  const run = async (...words: readonly string[]): Promise<unknown> => {
    const { code, stdout } = await runCommand({ DATA_DIR: folder }, ...words, '--json')
    expect(code).toBe(0)
    return JSON.parse(stdout)
  }
  const lifeOf = async (wanted: (key: KeyView) => boolean, since?: number): Promise<number> => {
    const key = ((await run('keys', 'list')) as readonly KeyView[]).find(wanted)
    return Date.parse(key?.expiresAt ?? '') - (since ?? Date.parse(key?.createdAt ?? ''))
  }

  it.each([
    ['90s', 1.5 * MINUTE_MS],
    ['5m', 5 * MINUTE_MS],
    ['12h', 12 * HOUR_MS],
    ['30d', 30 * 24 * HOUR_MS],
  ])('of %s is the exact life of a new key', async (text, milliseconds) => {
    await run('keys', 'create', '--expires', text)
    expect(await lifeOf(() => true)).toBe(milliseconds)
  })

  it.each<[string, readonly string[], number]>([
    ['24 hours by default', [], 24 * HOUR_MS],
    ['an hour if that is asked for', ['--overlap', '1h'], HOUR_MS],
  ])('is how long a rotated key stays valid: %s', async (_, options, milliseconds) => {
    await run('keys', 'create')
    const [key] = (await run('keys', 'list')) as readonly KeyView[]
    const id = key?.id ?? ''
    const before = Date.now()
    await run('keys', 'rotate', id, ...options)
    const life = await lifeOf((one) => one.id === id, before)
    expect(life).toBeGreaterThanOrEqual(milliseconds)
    expect(life).toBeLessThan(milliseconds + MINUTE_MS)
  })
})
