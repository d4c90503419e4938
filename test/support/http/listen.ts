// Reads the event stream of a test block by block.
import { onTestFinished } from 'vitest'
import { send } from './in-process.js'

/** The fields of a block, with its data parsed as JSON. */
const blockOf = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const at = line.indexOf(': ')
      const [name, value] = [line.slice(0, at), line.slice(at + 2)]
      return [name, name === 'data' ? (JSON.parse(value) as unknown) : value]
    }),
  )

/** `next` resolves to the next block, `nextEvent` to the next one with data; undefined after the end. */
export const listen = async (
  url: string,
  key: string,
  { query = '', headers = {} }: { readonly query?: string; readonly headers?: Readonly<Record<string, string>> } = {},
) => {
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
  const next = async () => {
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
  const nextEvent = async () => {
    for (;;) {
      const block = await next()
      if (block === undefined || 'data' in block) return block
    }
  }
  const { status, headers: answered } = response
  return { status, headers: answered, next, nextEvent, text: () => response.text(), leave: () => leaving.abort() }
}
