// Listens to the feed in a test: reads the blocks of a stream one after the other.
import { onTestFinished } from 'vitest'
import { send } from './in-process.js'

export interface Block {
  readonly id?: string
  readonly event?: string
  readonly data?: unknown
  readonly retry?: string
}

export interface Listener {
  readonly status: number
  readonly headers: Headers
  /** The next block; undefined once the stream has ended. */
  readonly next: () => Promise<Block | undefined>
  /** The next block with data; skips the others. */
  readonly nextEvent: () => Promise<Block | undefined>
  readonly text: () => Promise<string>
  readonly leave: () => void
}

const blockOf = (text: string): Block =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ')
      const [name, value] = [line.slice(0, at), line.slice(at + 2)]
      return [name, name === 'data' ? (JSON.parse(value) as unknown) : value]
    }),
  )

export const listen = async (
  url: string,
  key: string,
  { query = '', headers = {} }: { readonly query?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): Promise<Listener> => {
  const leaving = new AbortController()
  onTestFinished(() => leaving.abort())
  const response = await send(new URL(`/v1/events${query}`, url), {
    method: 'GET',
    headers: { Authorization: `Bearer ${key}`, Accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  })
  const decoder = new TextDecoder()
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  let rest = ''
  const next = async (): Promise<Block | undefined> => {
    reader ??= response.body?.getReader()
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end >= 0) {
        const block = rest.slice(0, end)
        rest = rest.slice(end + 2)
        return blockOf(block)
      }
      const part = await reader?.read()
      if (part === undefined || part.done) return undefined
      rest += decoder.decode(part.value, { stream: true })
    }
  }
  const nextEvent = async (): Promise<Block | undefined> => {
    for (;;) {
      const block = await next()
      if (block === undefined || block.data !== undefined) return block
    }
  }
  return {
    status: response.status,
    headers: response.headers,
    next,
    nextEvent,
    text: () => response.text(),
    leave: () => leaving.abort(),
  }
}
