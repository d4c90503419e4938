// An endpoint is a function from a request to a reply or a failure. It knows neither Koa nor Node's sockets.
import type { Either } from 'fp-ts/lib/Either.js'
import type { Caller } from '../../../domain/api-keys/authenticate.js'
import type { AnyFailure } from '../http-failure.js'
import type { HttpRequest, Reply } from '../messages/message.js'

/** Only error-reply.ts turns a failure into a reply. */
export type Outcome = Either<AnyFailure, Reply>

/** Needs no API key. */
export type PublicEndpoint = (request: HttpRequest) => Promise<Outcome>

/** Called once the key, its scope and its rate are accepted. */
export type Endpoint = (request: HttpRequest, caller: Caller) => Promise<Outcome>

/** The files to serve, each with its path, on a service with this public address. */
export type Documentation = (
  publicUrl: string | undefined,
) => readonly (readonly [path: string, endpoint: PublicEndpoint])[]
