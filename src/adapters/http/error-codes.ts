// Every error code: its status, its meaning and its remedy. The page at /docs/errors is generated from this table, and
// docs/errors.md opens each of its sections with these words.

interface ErrorHelp {
  readonly status: number
  /** Text between backticks is code. */
  readonly meaning: string
  readonly remedy: string
}

export const ERROR_HELP = {
  malformed_json: {
    status: 400,
    meaning: 'The body is not valid, unambiguous JSON.',
    remedy: 'Send UTF-8 without a byte order mark, each name once per object, and at most 64 levels.',
  },
  validation_failed: {
    status: 400,
    meaning: 'The body is JSON, but not a valid NewPet.',
    remedy: 'The message lists every fault as `/pointer: reason`. Correct all of them.',
  },
  invalid_parameter: {
    status: 400,
    meaning: 'A query parameter or the `Idempotency-Key` is malformed, out of bounds or repeated.',
    remedy: 'The message names the parameter and its rule.',
  },
  invalid_cursor: {
    status: 400,
    meaning: 'This list did not issue the `cursor`: it is truncated, changed, or from another `status` or `id` filter.',
    remedy: 'Follow the `Link` header unchanged, or start again without a cursor.',
  },
  bad_request: {
    status: 400,
    meaning: 'The request is not valid HTTP: its lines, lengths, target or `Host`.',
    remedy: 'Use a maintained HTTP client, and look for a proxy that changes requests.',
  },
  missing_api_key: {
    status: 401,
    meaning: 'The `Authorization` header is missing or empty.',
    remedy: 'Send `Authorization: Bearer <API_KEY>`.',
  },
  invalid_api_key: {
    status: 401,
    meaning: 'The key is mistyped, unknown, expired or revoked, uses another scheme, or was sent twice.',
    remedy: 'Check the key, or ask the operator for a new one. The response does not say what is wrong with it.',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The key is valid, but lacks the scope that the message and `WWW-Authenticate` name.',
    remedy: 'Ask the operator for a key with this scope. The scopes of a key are fixed when it is created.',
  },
  pet_not_found: {
    status: 404,
    meaning: 'No pet has this id, or the id is not a plain 64-bit integer.',
    remedy: 'Check the id. To look for pets that may not exist, use `GET /pets?id=…`.',
  },
  route_not_found: {
    status: 404,
    meaning: 'This path does not exist.',
    remedy: 'Paths are case-sensitive, start with `/v1` and do not end with a slash.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, but does not support this method.',
    remedy: 'Use a method that the `Allow` header lists.',
  },
  request_timeout: {
    status: 408,
    meaning: 'The request did not arrive in time.',
    remedy: 'Send it again at once; a create with the same `Idempotency-Key`.',
  },
  operation_removed: {
    status: 410,
    meaning: '`GET /v1/pets/{petId}` is switched off.',
    remedy: 'Use `GET /v1/pets?id=…`.',
  },
  precondition_failed: {
    status: 412,
    meaning:
      'The `ETag` of what was asked for is none of those in `If-Match`, or a create has a condition that it cannot meet.',
    remedy: 'Read it without `If-Match`, and continue with its `ETag`. Create without conditions.',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body has more bytes than the message allows.',
    remedy: 'A NewPet needs a few kilobytes at most: check what is sent.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not `application/json` in UTF-8, or it has a `Content-Encoding`.',
    remedy: 'Send `Content-Type: application/json`, uncompressed.',
  },
  expectation_failed: {
    status: 417,
    meaning: 'The `Expect` header names something else than `100-continue`.',
    remedy: 'Leave the header out.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning:
      'In the last 24 hours this `Idempotency-Key` was used for another pet, with this API key or one that it replaced.',
    remedy: 'Use a new key for a new pet, and the same body for a retry.',
  },
  rate_limited: {
    status: 429,
    meaning:
      'The API key has used up its quota, or too many requests without a good key came from this client address.',
    remedy: 'Wait for `Retry-After` seconds, then send the request again. The body was not read.',
  },
  headers_too_large: {
    status: 431,
    meaning: 'The request line and headers have more than 16 KiB, or there are more than 100 headers.',
    remedy: 'Send fewer or shorter headers; split a long list of ids.',
  },
  internal_error: {
    status: 500,
    meaning: 'A defect in the service.',
    remedy: 'Try once more; a create with the same `Idempotency-Key`. Then report the request id in the message.',
  },
  unavailable: {
    status: 503,
    meaning: 'The store is not available, too many requests are in flight, or the service is stopping.',
    remedy: 'Wait for `Retry-After` seconds, then send the request again; a create with the same `Idempotency-Key`.',
  },
} as const satisfies Readonly<Record<string, ErrorHelp>>

/** A new code does not compile until the table explains it. Codes are never renamed. */
export type ErrorCode = keyof typeof ERROR_HELP

export const ERROR_CODES = Object.keys(ERROR_HELP) as readonly ErrorCode[]
