// Bun-style: `bun run bun.ts` serves what a module exports by default. The server says where a request comes from.
import { handleFrom } from './service.js'

/** The part of the runtime's server that is used here. */
interface Server {
  readonly requestIP: (request: Request) => { readonly address: string } | null
}

export default {
  port: Number(process.env['PORT'] ?? 8080),
  // else Bun ends a stream of events that rests for 10 s
  idleTimeout: 0,
  fetch: (request: Request, server: Server): Promise<Response> =>
    handleFrom(request, server.requestIP(request)?.address),
}
