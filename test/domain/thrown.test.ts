import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { asError, memberOf } from '../../src/domain/thrown.js'

const foreign: unknown = runInNewContext(`Object.assign(new Error('no such file'), { code: 'ENOENT' })`)

describe('what was thrown', () => {
  it('is the same error if it comes from another realm', () => {
    expect(foreign instanceof Error).toBe(false)
    expect(asError(foreign)).toBe(foreign)
    expect(memberOf(foreign, 'code')).toBe('ENOENT')
  })

  it.each([
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [{ message: 7, name: 'x' }, '[object Object]'],
  ])('becomes an error if it is none: %s', (thrown, message) => {
    expect(asError(thrown)).toStrictEqual(new Error(message))
    expect(memberOf(thrown, 'code')).toBeUndefined()
  })
})
