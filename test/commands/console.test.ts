import { expect, it, vi } from 'vitest'
import { consoleTo } from '../../src/commands/serve.js'

it('logs what libraries write to the console, without control characters and cut off', () => {
  const warn = vi.fn<(details: object, message: string) => void>()
  const { log } = console
  const restore = consoleTo({ warn })
  const replaced = { ...console }
  try {
    replaced.log('reader closed', new Error('parse error: \u001B[2J\n{"level":60}').message)
    replaced.error('a'.repeat(2_000))
  } finally {
    restore()
  }
  expect(warn.mock.calls).toStrictEqual([
    [{ text: 'reader closed parse error: \u{fffd}[2J\u{fffd}{"level":60}' }, 'a library wrote to the console'],
    [{ text: 'a'.repeat(1_000) }, 'a library wrote to the console'],
  ])
  expect({ ...console }).toMatchObject({ log })
})
