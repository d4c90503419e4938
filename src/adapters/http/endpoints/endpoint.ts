// What an endpoint is: a function from a request to a reply or a failure. It knows neither Koa nor Node's sockets.
import type { Either } from 'fp-ts/lib/Either.js'
import type { Caller } from '../../../domain/authenticate.js'
import type { Failure } from '../../../domain/errors.js'
import type { HttpFailure } from '../http-failure.js'
import type { Reply } from '../messages/reply.js'
import type { HttpRequest } from '../messages/request.js'

/** A failure becomes a reply in error-reply.ts alone. */
export type Outcome = Either<Failure | HttpFailure, Reply>

/** Needs no API key. */
export type PublicEndpoint = (request: HttpRequest) => Promise<Outcome>

/** Is called once the key, its scope and its rate are accepted. */
export type Endpoint = (request: HttpRequest, caller: Caller) => Promise<Outcome>

/** Judges the headers first; only if they are acceptable is the body read and handed to the second function. */
export type BodyEndpoint = (
  request: HttpRequest,
  caller: Caller,
) => Either<HttpFailure, (body: Uint8Array) => Promise<Outcome>>
