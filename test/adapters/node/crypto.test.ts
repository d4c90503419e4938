import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { nodeCrypto } from '../../../src/adapters/node/system.js'

it('compares texts of equal length in constant time, which Node promises of timingSafeEqual', () => {
  const original = crypto.timingSafeEqual
  const compared: boolean[] = []
  onTestFinished(() => {
    crypto.timingSafeEqual = original
    syncBuiltinESMExports()
  })
  crypto.timingSafeEqual = (one, other) => {
    const isEqual = original(one, other)
    compared.push(isEqual)
    return isEqual
  }
  syncBuiltinESMExports()
  const results = [
    ['abc', 'abc'],
    ['abc', 'abd'],
    ['abc', 'xbc'],
    ['abc', 'ab'],
  ] as const
  expect(results.map(([one, other]) => nodeCrypto.isEqual(one, other))).toStrictEqual([true, false, false, false])
  // other lengths differ, which an attacker may learn
  expect(compared).toStrictEqual([true, false, false])
})
