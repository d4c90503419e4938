// Clients that keep a request in flight for a while: each sends the head of a create, waits, and sends its body.
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { BODY, postHead } from '../support/http/raw-requests.js'
import { readStatuses } from './closed-loop.js'
import type { Target } from './target.js'

/** Resolves to undefined if the service ends the connection instead. */
const nextStatus = (socket: Socket): Promise<number | undefined> =>
  new Promise((resolve) => {
    const settle = (status: number | undefined): void => {
      socket.off('end', ended).off('close', ended)
      resolve(status)
    }
    const ended = (): void => settle(undefined)
    socket.removeAllListeners('data')
    readStatuses(socket, settle)
    // its end may have come after the last response
    if (socket.readable) socket.once('end', ended).once('close', ended)
    else ended()
  })

/** The status of one create. A refused one still sends its body, so that the connection can be reused. */
export const createSlowly = async (socket: Socket, key: string, holdMs: number): Promise<number | undefined> => {
  const status = nextStatus(socket)
  socket.write(postHead(key, BODY.length))
  await pause(holdMs)
  if (socket.writable) socket.write(BODY)
  return status
}

/** The statuses of the creates of this many clients, each with its next create after the last one. */
export const createInLoops = async (
  { open, key }: Target,
  clients: number,
  holdMs: number,
  durationMs: number,
): Promise<readonly number[]> => {
  const all: number[] = []
  const until = performance.now() + durationMs
  const loop = async (): Promise<void> => {
    let socket = await open()
    while (performance.now() < until) {
      const status = await createSlowly(socket, key, holdMs)
      if (status !== undefined) all.push(status)
      if (!socket.writable || !socket.readable) {
        socket.destroy()
        socket = await open()
      }
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: clients }, loop))
  return all
}
