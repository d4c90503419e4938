// A webhook that verifies requests with the public library, keeps those that it accepted, and replies as told.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import { systemClock } from '../../../src/adapters/node/system.js'
import { makeWebhookPublisher } from '../../../src/adapters/webhook/event-publisher.js'
import type { PetCreated } from '../../../src/domain/events/domain-event.js'
import type { Clock } from '../../../src/ports/clock.js'
import { startListening } from '../network/start-listening.js'

export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export interface ReceivedRequest {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Returns the status to send, or sends a response itself. `before` counts the earlier requests. */
type Reply = (request: ReceivedRequest, before: number, response: ServerResponse) => number | undefined

const headersOf = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** A request that the library does not verify gets 401. */
export const startReceiver = async ({
  secret = newSecret(),
  tls,
}: {
  readonly secret?: string
  readonly tls?: ServerOptions
} = {}) => {
  const requests: ReceivedRequest[] = []
  const accepted: string[] = []
  const connections = new Set<object>()
  let reply: Reply = () => 200
  let [inFlight, most] = [0, 0]

  const isVerified = ({ body, headers }: ReceivedRequest): boolean => {
    try {
      new Webhook(secret).verify(body, headersOf(headers))
      return true
    } catch {
      return false
    }
  }

  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    inFlight += 1
    most = Math.max(most, inFlight)
    response.on('close', () => {
      inFlight -= 1
    })
    connections.add(request.socket)
    const { method, url: path, headers } = request
    const received = { method, path, headers, body: await text(request) }
    const status = isVerified(received) ? reply(received, requests.length, response) : 401
    requests.push(received)
    if (status === undefined) return
    if (status < 300) accepted.push(received.body)
    response.writeHead(status).end()
  }

  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    // the sender may be killed
    receive(request, response).catch(() => response.destroy())
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  const port = await startListening(server)
  return {
    secret,
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}/hook?of=pets`,
    requests,
    accepted,
    responses: (next: Reply): void => {
      reply = next
    },
    connectionCount: () => connections.size,
    mostAtOnce: () => most,
    /** As if its process were killed: connections break, and new ones are refused. */
    kill: async (): Promise<void> => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
    restart: async (): Promise<void> => {
      await once(server.listen(port, '127.0.0.1'), 'listening')
    },
  }
}

export const SETTINGS = { source: 'http://localhost/v1', typePrefix: 'org.example' }

export const openWebhook = (url: string, secrets: readonly string[], clock: Clock = systemClock) => {
  const publisher = makeWebhookPublisher({ url, secrets }, { ...SETTINGS, clock })
  onTestFinished(publisher.close)
  return { publisher, publish: (...events: readonly PetCreated[]) => publisher.publish(events)() }
}
