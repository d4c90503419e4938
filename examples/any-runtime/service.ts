// The service behind all three runtimes. Only the runtime knows the client's address, so it passes the address here.
import { createApiKey, makeMemoryStore, SCOPES } from 'animal-store'
import { DEFAULT_HANDLER, makeFetchHandler } from 'animal-store/fetch'
import { nodeCrypto, systemClock } from 'animal-store/node'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'

const ports = { ...makeMemoryStore(), clock: systemClock, crypto: nodeCrypto }

const peers = new WeakMap<Request, string>()

const handle = makeFetchHandler(ports, {
  ...DEFAULT_HANDLER,
  rateLimit: { perSecond: 50, burst: 100 },
  peerAddress: (request) => peers.get(request),
})

export const handleFrom = (request: Request, address: string | undefined): Promise<Response> => {
  if (address !== undefined) peers.set(request, address)
  return handle(request)
}

export const newKey = async (): Promise<string> => {
  const issued = await createApiKey(ports)({ name: O.none, scopes: SCOPES, lifetimeMs: O.none })()
  if (E.isLeft(issued)) throw new Error('no key', { cause: issued.left })
  return issued.right.text
}
