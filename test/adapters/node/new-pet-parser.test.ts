import * as E from 'fp-ts/lib/Either.js'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeNewPetParser } from '../../../src/adapters/node/new-pet-parser.js'
import type { Notice } from '../../../src/ports/notice.js'
import { useFakeTimers } from '../../support/runner/fake-timers.js'

/** Longer than what is parsed at once. */
const LONG = 200_000

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const long = (text: string): Uint8Array => bytesOf(text.padEnd(LONG, ' '))

/** A thread that does this with each text. */
const threadThat = (statement: string): URL => {
  const program = `
    import { parentPort, threadId } from 'node:worker_threads'
    const reply = (right) => parentPort.postMessage({ _tag: 'Parsed', parsed: { _tag: 'Right', right } })
    parentPort.on('message', (body) => {
      const text = new TextDecoder().decode(body).trim()
      ${statement}
    })
    parentPort.postMessage({ _tag: 'Ready' })`
  return new URL(`data:text/javascript,${encodeURIComponent(program)}`)
}

const HOARD = 'const all = []; for (;;) all.push(new Array(10_000).fill(text))'

describe('a parser of creates', () => {
  let notices: Notice[]
  const parserWith = (program: URL) => {
    const parser = makeNewPetParser({ maxBodyBytes: 1_048_576, notify: (notice) => void notices.push(notice), program })
    onTestFinished(parser.close)
    return parser.parse
  }

  beforeEach(() => {
    notices = []
  })

  it('parses a short body at once', () => {
    expect(parserWith(threadThat(''))(bytesOf('{"a":1}'))).toStrictEqual(E.right({ a: 1 }))
  })

  it('gives long bodies to the thread, and each caller the reply to its own', async () => {
    const parse = parserWith(threadThat('reply(text)'))
    const texts = ['one', 'two', 'three']
    expect(await Promise.all(texts.map(async (text) => parse(long(text))))).toStrictEqual(texts.map(E.right))
  })

  it('rejects only the body on which the thread fails', async () => {
    const parse = parserWith(threadThat(`if (text === 'bad') throw new Error('it is bad'); reply(text)`))
    const results = await Promise.allSettled(['one', 'bad', 'two'].map(async (text) => parse(long(text))))
    expect(results).toStrictEqual([
      { status: 'fulfilled', value: E.right('one') },
      { status: 'rejected', reason: new Error('it is bad') },
      { status: 'fulfilled', value: E.right('two') },
    ])
    expect(notices).toStrictEqual([])
  })

  it('rejects the first body, too, if the thread runs out of memory on it', async () => {
    await expect(parserWith(threadThat(HOARD))(long('big'))).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
    expect(notices).toStrictEqual([])
  })

  it('rejects the body on which the thread runs out of memory', async () => {
    const parse = parserWith(threadThat(`if (text === 'big') { ${HOARD} }; reply(text)`))
    await parse(long('one'))
    await expect(parse(long('big'))).rejects.toMatchObject({ code: 'ERR_WORKER_OUT_OF_MEMORY' })
    expect(await parse(long('two'))).toStrictEqual(E.right('two'))
  })

  it('rejects a body on which the thread ends without a reason', async () => {
    const parse = parserWith(threadThat(`if (text === 'end') process.exit(); reply(text)`))
    await parse(long('one'))
    await expect(parse(long('end'))).rejects.toThrow('the thread that parses long bodies has ended')
  })

  it.each([
    ['its program is missing', 'file:///nowhere/thread.js', '/nowhere/thread.js'],
    ['its program is not a file', 'https://nowhere.example/thread.js', 'The URL must be'],
  ])('parses long bodies itself, and says so once, if %s', async (_, program, reason) => {
    const parse = parserWith(new URL(program))
    const malformed = E.left({ _tag: 'MalformedJson', reason: 'it is not well-formed: it ends too early' })
    expect(await Promise.all([parse(long('1')), parse(long('[2'))])).toStrictEqual([E.right(1), malformed])
    expect(await parse(long('3'))).toStrictEqual(E.right(3))
    const message = 'long bodies hold up other requests: no thread can be started'
    expect(notices).toStrictEqual([{ level: 'warn', message, details: { reason: expect.stringContaining(reason) } }])
  })

  it('parses the shortest of the bodies that wait', async () => {
    const order: unknown[] = []
    const parse = parserWith(threadThat('reply(text)'))
    const bodies = [300_000, 400_000, LONG, 300_000].map((length, at) => bytesOf(`${at}`.padEnd(length, ' ')))
    const ended = bodies.map(async (body) => order.push(await parse(body)))
    await Promise.all(ended)
    expect(order).toStrictEqual(['0', '2', '3', '1'].map(E.right))
  })

  it('is unavailable to a body that has waited two seconds for others', async () => {
    useFakeTimers({ toFake: ['performance'] })
    const parse = parserWith(threadThat('reply(text)'))
    const parsed = ['one', 'two'].map(async (text) => parse(long(text)))
    vi.advanceTimersByTime(1_000)
    parsed.push(Promise.resolve(parse(long('three'))))
    vi.advanceTimersByTime(1_001)
    expect(await Promise.all(parsed)).toMatchObject([
      E.right('one'),
      E.left({ _tag: 'Unavailable', cause: new Error('other long bodies took more than 2000 ms to parse') }),
      E.right('three'),
    ])
  })

  it('ends the thread when it has been idle, and starts another for the next body', async () => {
    useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const parse = parserWith(threadThat('reply(threadId)'))
    const first = await parse(long(''))
    vi.advanceTimersByTime(9_999)
    expect(await parse(long(''))).toStrictEqual(first)
    vi.advanceTimersByTime(10_000)
    expect(await parse(long(''))).not.toStrictEqual(first)
  })
})
