import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { makeNewPetParser } from '../../../src/adapters/node/new-pet-parser.js'
import type { Notice } from '../../../src/ports/notice.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

/** Longer than what is parsed at once. */
const LONG = 200_000

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const long = (text: string): Uint8Array => bytesOf(text.padEnd(LONG, ' '))

/** A thread that replies to each body with what the statement does to its text. */
const threadThat = (statement: string): URL => {
  const program = `
    import { parentPort, threadId } from 'node:worker_threads'
    parentPort.on('message', (body) => {
      const text = new TextDecoder().decode(body).trim()
      ${statement}
    })`
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`)
}

const reply = 'parentPort.postMessage({ _tag: "Right", right: text })'

describe('a parser of creates', () => {
  let notices: Notice[]
  const parserWith = (program: URL) =>
    makeNewPetParser({ maxBodyBytes: 1_048_576, notify: (notice) => void notices.push(notice), program })

  beforeEach(() => {
    notices = []
  })

  it('parses a short body at once', () => {
    expect(parserWith(threadThat(''))(bytesOf('{"a":1}'))).toStrictEqual(E.right({ a: 1 }))
  })

  it('gives long bodies to the thread, and each caller the reply to its own', async () => {
    const parse = parserWith(threadThat(reply))
    const texts = ['one', 'two', 'three']
    expect(await Promise.all(texts.map(async (text) => parse(long(text))))).toStrictEqual(texts.map(E.right))
  })

  it('rejects only the body on which the thread fails', async () => {
    const parse = parserWith(threadThat(`if (text === 'bad') throw new Error('it is bad'); ${reply}`))
    const outcomes = await Promise.allSettled(['one', 'bad', 'two'].map(async (text) => parse(long(text))))
    expect(outcomes).toStrictEqual([
      { status: 'fulfilled', value: E.right('one') },
      { status: 'rejected', reason: new Error('it is bad') },
      { status: 'fulfilled', value: E.right('two') },
    ])
    expect(notices).toStrictEqual([])
  })

  it('rejects the body on which the thread runs out of memory', async () => {
    const hoard = 'const all = []; for (;;) all.push(new Array(10_000).fill(text))'
    const parse = parserWith(threadThat(`if (text === 'big') { ${hoard} }; ${reply}`))
    await parse(long('one'))
    await expect(parse(long('big'))).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
    expect(await parse(long('two'))).toStrictEqual(E.right('two'))
  })

  it('rejects a body on which the thread ends without a reason', async () => {
    const parse = parserWith(threadThat(`if (text === 'end') process.exit(); ${reply}`))
    await parse(long('one'))
    await expect(parse(long('end'))).rejects.toThrow('the thread that parses long bodies has ended')
  })

  it('parses long bodies itself if no thread can be started, and says so once', async () => {
    const parse = parserWith(new URL('file:///nowhere/thread.js'))
    expect(await Promise.all([parse(long('[1]')), parse(long('[2'))])).toStrictEqual([
      E.right([1]),
      E.left({ _tag: 'MalformedJson', reason: 'it is not well-formed' }),
    ])
    expect(notices).toMatchObject([
      {
        level: 'warn',
        message: 'long bodies hold up other requests: no thread can be started',
        details: { reason: expect.stringContaining('/nowhere/thread.js') },
      },
    ])
  })

  it('ends the thread when it has been idle, and starts another for the next body', async () => {
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const parse = parserWith(threadThat('parentPort.postMessage({ _tag: "Right", right: threadId })'))
    const first = await parse(long(''))
    vi.advanceTimersByTime(9_999)
    expect(await parse(long(''))).toStrictEqual(first)
    vi.advanceTimersByTime(10_000)
    expect(await parse(long(''))).not.toStrictEqual(first)
  })
})
