// Clients that keep a request in flight for a while: each sends the head of a create, waits, and sends its body.
import type { Socket } from 'node:net'
import { readUntil } from '../support/http/raw.js'
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

/** A create under way: the service has asked for its body. `finish` sends it, and resolves to the status. */
export const holdCreate = async ({ open, key }: Pick<Target, 'open' | 'key'>) => {
  const socket = await open()
  const asked = readUntil(socket, /100 Continue\r\n\r\n/)
  socket.write(postHead(key, BODY.length, 'Expect: 100-continue\r\n'))
  await asked
  const finish = (): Promise<number | undefined> => {
    const status = nextStatus(socket)
    socket.write(BODY)
    return status
  }
  return { finish }
}
