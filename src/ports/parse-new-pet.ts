import type { Either } from 'fp-ts/lib/Either.js'
import type { Unavailable, ValidationFailed } from '../domain/errors.js'
import type { MalformedJson } from '../domain/json/parse-json.js'

/** The JSON value of a body, which need not be a valid NewPet. */
export type ParsedNewPet = Either<MalformedJson | ValidationFailed | Unavailable, unknown>

/** Parses the body of a create. The caller does not use the body again. */
export type ParseNewPet = (body: Uint8Array) => ParsedNewPet | Promise<ParsedNewPet>
