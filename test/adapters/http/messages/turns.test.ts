import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { favourAccepting, requestInTurn, shareOf } from '../../../../src/adapters/http/messages/turns.js'

/** Calls in one turn; resolves to the callers in the order in which they may cause work. */
const orderOf = async (callers: readonly string[]): Promise<readonly string[]> => {
  const order: string[] = []
  const shares = callers.map(async (caller) => {
    await shareOf(caller)
    order.push(caller)
  })
  await Promise.all(shares)
  return order
}

describe('shareOf', () => {
  it('lets a caller begin at once while there is little', async () => {
    expect(shareOf('one')).toBeUndefined()
    await nextTurn()
  })

  it('lets callers that wait begin one after the other, however many requests each has', async () => {
    const many = Array.from({ length: 200 }, () => 'many')
    const order = await orderOf([...many, 'few', 'few', 'lone'])
    expect(order).toHaveLength(203)
    const waited = order.slice(order.indexOf('few') - 1)
    expect(waited.slice(0, 5)).toStrictEqual(['many', 'few', 'lone', 'many', 'few'])
  })
})

describe('requestInTurn', () => {
  it('begins requests of kept connections also while connections are accepted whose first requests never end', async () => {
    let isOver = false
    const flood = (): void => {
      if (!isOver) requestInTurn(true, flood)
    }
    for (let count = 0; count < 100; count += 1) flood()
    const begun = new Promise<void>((resolve) => requestInTurn(false, resolve)).then(() => {
      isOver = true
    })
    for (let turn = 0; turn < 20; turn += 1) {
      favourAccepting()
      await nextTurn()
    }
    expect(isOver).toBe(true)
    await begun
  })
})
