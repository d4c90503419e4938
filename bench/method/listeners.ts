// Many listeners of the feed, each of which checks that it gets every event once and in order.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { withDeadline } from './deadline.js'
import { requestBytes } from './request.js'

const WAIT_MS = 60_000
const SUBJECT = '"subject":"'
const NAME = '"name":"'

export interface Listeners {
  /** Resolves when every listener has got this many events. */
  readonly complete: (events: number) => Promise<void>
  /** Milliseconds below which this share of the delays lies. */
  readonly delay: (share: number) => number
  readonly close: () => void
}

/** Calls back with the subject and the name of the pet of each event, and returns what is left of the text. */
const readEvents = (text: string, heard: (subject: number, name: string) => void): string => {
  let begin = 0
  for (;;) {
    const subject = text.indexOf(SUBJECT, begin)
    if (subject === -1) return text.slice(Math.max(begin, text.length - SUBJECT.length))
    const name = text.indexOf(NAME, subject)
    const end = name === -1 ? -1 : text.indexOf('"', name + NAME.length)
    if (end === -1) return text.slice(subject)
    heard(Number.parseInt(text.slice(subject + SUBJECT.length, subject + 30), 10), text.slice(name + NAME.length, end))
    begin = end
  }
}

/** Opens streams that begin now. The name of each pet must be the time when its create began, by performance.now(). */
export const openListeners = async (port: number, key: string, count: number): Promise<Listeners> => {
  const request = requestBytes({ method: 'GET', path: '/v1/events', key, headers: { Accept: 'text/event-stream' } })
  const events = new Uint32Array(count)
  /** Delays by the millisecond. */
  const delays = new Uint32Array(WAIT_MS)
  let fault: string | undefined

  const open = async (at: number): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1')
    await once(socket, 'connect')
    socket.write(request)
    const [head] = (await once(socket, 'data')) as [string]
    if (!head.startsWith('HTTP/1.1 200 ')) throw new Error(`a listener was refused: ${head}`)
    let rest = ''
    let last = 0
    socket.on('data', (text: string) => {
      const now = performance.now()
      rest = readEvents(rest + text, (subject, name) => {
        if (subject <= last) fault = `listener ${at} got event ${subject} after ${last}`
        last = subject
        events[at] = (events[at] ?? 0) + 1
        const delay = Math.min(WAIT_MS - 1, Math.max(0, Math.ceil(now - Number(name))))
        delays[delay] = (delays[delay] ?? 0) + 1
      })
    })
    return socket
  }
  const sockets: Socket[] = []
  for (let at = 0; at < count; at += 1) sockets.push(await open(at))

  const untilAll = async (wanted: number): Promise<void> => {
    while (events.some((found) => found < wanted)) await pause(5)
    if (events.some((found) => found > wanted)) fault = 'a listener got more events than there are'
    if (fault !== undefined) throw new Error(fault)
  }
  return {
    complete: (wanted) => withDeadline(untilAll(wanted), WAIT_MS, `event ${wanted} at ${count} listeners`),
    delay: (share) => {
      const total = delays.reduce((sum, number) => sum + number, 0)
      let seen = 0
      return delays.findIndex((number) => {
        seen += number
        return seen >= total * share
      })
    },
    close: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}
