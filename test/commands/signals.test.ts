import { expect, it } from 'vitest'
import { signalReader } from '../../src/commands/serve.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'

it.each([
  // npm forwards a Ctrl-C that the terminal has already sent to both
  ['SIGINT', 'SIGINT', 0, 'echo'],
  ['SIGINT', 'SIGINT', 1_000, 'echo'],
  ['SIGINT', 'SIGINT', 1_001, 'end at once'],
  ['SIGTERM', 'SIGTERM', 1_000, 'echo'],
  ['SIGTERM', 'SIGTERM', 1_001, 'end at once'],
  ['SIGINT', 'SIGTERM', 0, 'end at once'],
] as const)('%s and then %s after %i ms: %s [stop]', (one, other, milliseconds, meaning) => {
  const clock = makeMovableClock()
  const meaningOf = signalReader(clock)
  expect(meaningOf(one)).toBe('stop')
  clock.advance(milliseconds)
  expect(meaningOf(other)).toBe(meaning)
})

it('a forwarded copy gives a person who presses Ctrl-C again no more time than one press [stop]', () => {
  const clock = makeMovableClock()
  const meaningOf = signalReader(clock)
  const meanings = [0, 900, 200].map((milliseconds) => {
    clock.advance(milliseconds)
    return meaningOf('SIGINT')
  })
  expect(meanings).toStrictEqual(['stop', 'echo', 'end at once'])
})
