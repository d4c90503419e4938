// Bun-style: `bun run bun.ts` serves the module's default export. The server knows the client's address.
import { handleFrom } from './service.js'

/** Only the part that is used here. */
interface Server {
  readonly requestIP: (request: Request) => { readonly address: string } | null
}

export default {
  port: Number(process.env['PORT'] ?? 8080),
  // otherwise Bun ends a stream of events after 10 s without data
  idleTimeout: 0,
  fetch: (request: Request, server: Server): Promise<Response> =>
    handleFrom(request, server.requestIP(request)?.address),
}
