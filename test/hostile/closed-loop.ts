// Clients that send the next request when they have the response to the last one, each on a kept connection.
import type { Socket } from 'node:net'

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

/** Whether the text is a whole response, by its Content-Length. */
const isWhole = (text: string): boolean => {
  const bodyAt = text.indexOf('\r\n\r\n') + 4
  return bodyAt > 3 && text.length >= bodyAt + Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1] ?? 0)
}

/**
 * One client per connection, until the time is over or its connection is closed: how many responses had which status, and the
 * milliseconds from each request to its response, sorted.
 */
export const closedLoop = async (sockets: readonly Socket[], durationMs: number, nextRequest: () => string) => {
  const statuses = new Map<number, number>()
  const timesMs: number[] = []
  const until = performance.now() + durationMs
  const run = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      let [start, text] = [0, '']
      const send = (): void => {
        start = performance.now()
        if (start > until) end()
        else socket.write(nextRequest())
      }
      const read = (chunk: unknown): void => {
        text += String(chunk)
        if (!isWhole(text)) return
        const status = Number(text.slice(9, 12))
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
        timesMs.push(performance.now() - start)
        text = ''
        send()
      }
      const end = (): void => {
        socket.off('data', read).off('close', end)
        resolve()
      }
      socket.on('data', read).once('close', end)
      send()
    })
  await Promise.all(sockets.map(run))
  return { statuses, timesMs: timesMs.sort((one, other) => one - other) }
}
