// A network that a test can cut, delay and leave half-open.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type Passed = Buffer | 'reset'

/** Sees the bytes of one connection, and decides which of the server's bytes pass, or resets the connection. */
export interface Tap {
  readonly request: (bytes: Buffer) => void
  readonly reply: (bytes: Buffer) => Passed | Promise<Passed>
}

const passAll = (): Tap => ({ request: () => {}, reply: (bytes) => bytes })

interface Link {
  readonly client: Socket
  readonly upstream: Socket
  isFrozen: boolean
}

/** The caller must close it: for proxies that outlive a test. */
export const launchProxy = async (target: number, openTap: () => Tap = passAll) => {
  let mode: 'open' | 'cut' | 'frozen' = 'open'
  let lateness = 0
  const links = new Set<Link>()

  const reset = ({ client, upstream }: Link): void => {
    // resetAndDestroy fails on a socket that is shutting down, and leaves it open
    if (client.writable) client.resetAndDestroy()
    else client.destroy()
    upstream.destroy()
  }

  const forward = (link: Link, from: Socket, to: Socket, filter: Tap['reply']): void => {
    const late: { readonly bytes: Buffer; readonly due: number }[] = []
    const pass = (passed: Passed): void => {
      if (passed === 'reset') reset(link)
      else if (to.writable) to.write(passed)
    }
    const send = (bytes: Buffer): void => {
      if (link.isFrozen || !to.writable) return
      const passed = filter(bytes)
      if (passed instanceof Promise) void passed.then(pass)
      else pass(passed)
    }
    /** In the order received: no chunk overtakes one whose timer is late. */
    const release = (): void => {
      for (let [first] = late; first !== undefined; [first] = late) {
        const wait = first.due - performance.now()
        if (wait > 0) {
          setTimeout(release, wait)
          return
        }
        late.shift()
        send(first.bytes)
      }
    }
    from.on('data', (bytes) => {
      if (typeof bytes === 'string') return
      late.push({ bytes, due: performance.now() + lateness })
      if (late.length === 1) release()
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      to.destroy()
      links.delete(link)
    })
  }

  const server = createServer((client) => {
    const link: Link = { client, upstream: connect(target, '127.0.0.1'), isFrozen: mode === 'frozen' }
    links.add(link)
    const tap = openTap()
    forward(link, client, link.upstream, (bytes) => {
      tap.request(bytes)
      return bytes
    })
    forward(link, link.upstream, client, tap.reply)
    if (mode === 'cut') reset(link)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    /** Bytes that were dropped before stay lost. */
    heal: (): void => {
      mode = 'open'
      lateness = 0
    },
    /** Resets every connection, present and future. */
    cut: (): void => {
      mode = 'cut'
      for (const link of links) reset(link)
    },
    /** Drops all bytes of present and future connections, but closes none. */
    freeze: (): void => {
      mode = 'frozen'
      for (const link of links) link.isFrozen = true
    },
    /** Delays each chunk in each direction. */
    delay: (milliseconds: number): void => {
      lateness = milliseconds
    },
    close: async (): Promise<void> => {
      for (const link of links) reset(link)
      server.close()
      await once(server, 'close')
    },
  }
}

export type TcpProxy = Awaited<ReturnType<typeof launchProxy>>

/** The same, closed when the test ends. */
export const openProxy = async (...settings: Parameters<typeof launchProxy>): Promise<TcpProxy> => {
  const proxy = await launchProxy(...settings)
  onTestFinished(proxy.close)
  return proxy
}
