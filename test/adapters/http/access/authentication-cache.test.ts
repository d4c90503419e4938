import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { describe, expect, it } from 'vitest'
import { authenticationCache } from '../../../../src/adapters/http/access/caller.js'
import { keyIdFrom, keyTextFrom } from '../../../../src/domain/api-keys/api-key-text.js'
import type { Authenticate } from '../../../../src/domain/api-keys/authenticate.js'
import { unavailable } from '../../../../src/domain/errors.js'
import { makeMovableClock } from '../../../support/domain/movable-clock.js'

type Result = Awaited<ReturnType<ReturnType<Authenticate>>>

const CALLER = { keyId: 'k', lineage: 'k', scopes: [] }
const VALID: Result = E.right({ ...CALLER, validMs: Number.POSITIVE_INFINITY })
const REFUSED: Result = E.left({ _tag: 'InvalidApiKey', reason: 'unknown', keyId: O.some('k') })

const cached = () => {
  const clock = makeMovableClock()
  const lookUps: { readonly keyText: string; readonly end: (outcome: Result | Error) => void }[] = []
  const find = authenticationCache(
    (keyText) => () =>
      new Promise((resolve, reject) => {
        const end = (outcome: Result | Error): void => (outcome instanceof Error ? reject(outcome) : resolve(outcome))
        lookUps.push({ keyText, end })
      }),
    clock,
  )
  return { clock, lookUps, find }
}

const key = (n: number): string => keyTextFrom(keyIdFrom(Buffer.from([n >> 8, n & 255])), Buffer.alloc(32))
const [A, B] = [key(1), key(2)]

describe('the cache of valid keys', () => {
  it('shares one look-up among concurrent calls with the same key', async () => {
    const { find, lookUps } = cached()
    const calls = [A, A, B, A].map(async (text) => find(text))
    expect(lookUps.map(({ keyText }) => keyText)).toEqual([A, B])
    for (const { end } of lookUps) end(VALID)
    expect(await Promise.all(calls)).toEqual([VALID, VALID, VALID, VALID])
    await find(A)
    expect(lookUps).toHaveLength(2)
  })

  it.each<[string, Result | Error]>([
    ['a refusal', REFUSED],
    ['an outage', E.left(unavailable('down'))],
    ['a defect', new Error('a defect')],
  ])('gives all concurrent calls %s, and asks again after it', async (_, outcome) => {
    const { find, lookUps } = cached()
    const calls = Promise.allSettled([find(A), find(A)])
    lookUps[0]?.end(outcome)
    const [one, other] = await calls
    expect(one).toEqual(other)
    const again = find(A)
    expect(lookUps).toHaveLength(2)
    lookUps[1]?.end(VALID)
    expect(await again).toEqual(VALID)
  })

  it('counts four seconds from the beginning of a look-up, however long it takes', async () => {
    const { clock, find, lookUps } = cached()
    const slow = find(A)
    clock.advance(3_999)
    lookUps[0]?.end(VALID)
    await slow
    clock.setBack(3_600_000)
    await find(A)
    expect(lookUps).toHaveLength(1)
    clock.advance(1)
    const next = find(A)
    expect(lookUps).toHaveLength(2)
    lookUps[1]?.end(REFUSED)
    expect(await next).toEqual(REFUSED)
  })

  it('asks again once the key has expired', async () => {
    const { clock, find, lookUps } = cached()
    const first = find(A)
    lookUps[0]?.end(E.right({ ...CALLER, validMs: 1_000 }))
    await first
    clock.advance(999)
    await find(A)
    expect(lookUps).toHaveLength(1)
    clock.advance(1)
    void find(A)
    expect(lookUps).toHaveLength(2)
  })
  it('keeps a newer look-up when an older one of the same key is refused late', async () => {
    const { clock, find, lookUps } = cached()
    const late = find(A)
    clock.advance(4_000)
    const newer = find(A)
    lookUps[1]?.end(VALID)
    await newer
    lookUps[0]?.end(REFUSED)
    expect(await late).toEqual(REFUSED)
    const again = find(A)
    expect(lookUps).toHaveLength(2)
    expect(await again).toEqual(VALID)
  })

  it('keeps the 10,000 newest keys', async () => {
    const { find, lookUps } = cached()
    for (let n = 0; n <= 10_000; n += 1) {
      const found = find(key(n))
      lookUps[n]?.end(VALID)
      await found
    }
    await find(key(1))
    expect(lookUps).toHaveLength(10_001)
    void find(key(0))
    expect(lookUps).toHaveLength(10_002)
  })
})
