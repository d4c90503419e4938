// Clients that send the next request when they have the response to the last one, each on a kept connection.
import type { Socket } from 'node:net'

export interface Tally {
  readonly statuses: ReadonlyMap<number, number>
  /** Milliseconds from each request to its response, sorted. */
  readonly timesMs: readonly number[]
}

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const HEAD_END = '\r\n\r\n'

/** Calls back with the status of each response, delimited by its Content-Length, until the returned function is called. */
const readStatuses = (socket: Socket, responded: (status: number) => void): (() => void) => {
  let text = ''
  const read = (chunk: unknown): void => {
    text += String(chunk)
    for (;;) {
      const headEnd = text.indexOf(HEAD_END)
      if (headEnd === -1) return
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1] ?? 0)
      const end = headEnd + HEAD_END.length + length
      if (text.length < end) return
      const status = Number(text.slice(9, 12))
      text = text.slice(end)
      responded(status)
    }
  }
  socket.on('data', read)
  return () => void socket.off('data', read)
}

/** One client per connection, until the time is over or its connection is closed. */
export const closedLoop = async (
  sockets: readonly Socket[],
  durationMs: number,
  nextRequest: () => string,
): Promise<Tally> => {
  const statuses = new Map<number, number>()
  const timesMs: number[] = []
  const until = performance.now() + durationMs
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          let start = 0
          const send = (): void => {
            start = performance.now()
            if (start > until) end()
            else socket.write(nextRequest())
          }
          const end = (): void => {
            stopReading()
            socket.off('close', end)
            resolve()
          }
          socket.once('close', end)
          const stopReading = readStatuses(socket, (status) => {
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            timesMs.push(performance.now() - start)
            send()
          })
          send()
        }),
    ),
  )
  return { statuses, timesMs: timesMs.sort((one, other) => one - other) }
}
