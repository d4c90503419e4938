// Written by `npm run docs` from openapi.yaml. An int64 is a bigint, as parseJson reads it.

export interface paths {
    readonly "/pets": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List pets
         * @description Returns a page of pets, newest first (by `id`, descending), optionally filtered by status and by ids. A pet
         *     must match every filter. Needs the scope `pets:read`.
         */
        readonly get: operations["listPets"];
        readonly put?: never;
        /**
         * Add a pet
         * @description Adds a pet and returns it with the `id` that the service assigned: greater than the id of every pet created
         *     before. When the response arrives, the pet is durably stored. Needs the scope `pets:write`.
         *
         *     A condition that a new pet cannot meet gets 412, and nothing is stored: `If-None-Match: *`, or any `If-Match` except `*`.
         */
        readonly post: operations["createPet"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/pets/{petId}": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path: {
                /** @description Identifier of the pet to retrieve. A value that is not a plain int64 (`01`, `+1`, `1.0`, text) gets 404. */
                readonly petId: bigint;
            };
            readonly cookie?: never;
        };
        /**
         * Fetch one pet
         * @deprecated
         * @description Returns a single pet. Needs the scope `pets:read`.
         *
         *     **Deprecated**; scheduled for removal on 5 December 2030. Use `GET /pets`, with a `status` filter or with
         *     `?id=…` for one pet. Every response of this operation carries `Deprecation`, `Sunset` and a `Link` with the
         *     relations `deprecation` and `successor-version`. An operator may switch the operation off; every `petId` then
         *     gets 410.
         */
        readonly get: operations["getPet"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Follow the events
         * @description The events of all pets, oldest first: as pages, or as a stream of Server-Sent Events. An event never appears at or
         *     below a position that was given out, so a client that goes on at its last position misses nothing. Each event is a
         *     CloudEvent, as [asyncapi.yaml](asyncapi.yaml) describes it. Needs the scope `events:read`.
         *
         *     **Pages** (any `Accept` but the next, also one without a preference): follow the `Link` of each page, also that of the last one and that of a 304.
         *     An empty page means that there are no new events: ask again later.
         *
         *     **Stream** (`Accept: text/event-stream`, preferred to JSON and to `*\/*` if these are named; sent as `text/event-stream; charset=utf-8`): each block
         *     has the position as `id`, the type of the event as `event`, and the event as `data`. Skip blocks without `data`. Reconnect with `Last-Event-ID`, as
         *     EventSource does by itself. Without a position the stream begins with the next new event, and its first block has only an `id`.
         *     A stream ends by itself after nine to ten minutes: reconnect. An operator may switch streams off; every `Accept` then gets a page.
         */
        readonly get: operations["listEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/store/orders": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List orders
         * @description Returns an empty array: no operation of this interface creates an order, so there are none to list. Needs the
         *     scope `orders:read`.
         */
        readonly get: operations["listOrders"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Availability of the pet.
         * @enum {string}
         */
        readonly PetStatus: "available" | "pending" | "sold";
        /** @description A pet to add. Other members are ignored. */
        readonly NewPet: {
            readonly name: components["schemas"]["PetName"];
            readonly categoryId: components["schemas"]["CategoryId"];
            readonly status?: components["schemas"]["PetStatus"];
        };
        /** @description A pet, as returned. It has no `status` if it was added without one. */
        readonly Pet: {
            /**
             * Format: int64
             * @description Unique identifier, assigned by the service on creation; from 1 to 9007199254740991, never reused.
             */
            readonly id: bigint;
            readonly name: components["schemas"]["PetName"];
            readonly categoryId: components["schemas"]["CategoryId"];
            readonly status?: components["schemas"]["PetStatus"];
        };
        /**
         * Format: well-formed
         * @description The pet's name: 1 to 256 characters (code points), not only white space, stored as sent. It must be well-formed
         *     Unicode: the format `well-formed` rejects half of a surrogate pair, such as `\ud800`.
         */
        readonly PetName: string;
        /**
         * Format: int64
         * @description Identifier of the category the pet belongs to; any int64. The service does not look it up.
         */
        readonly CategoryId: bigint;
        /** @description A CloudEvent (CloudEvents 1.0, JSON format): a pet was added. `id` is the same each time the event is delivered. */
        readonly PetCreatedEvent: {
            /** @enum {string} */
            readonly specversion: "1.0";
            readonly id: string;
            /** @description The public base address of the service. */
            readonly source: string;
            /** @description A prefix that the operator may choose, and `.pet.created.v1`. */
            readonly type: string;
            /** @description The id of the pet. */
            readonly subject: string;
            /** Format: date-time */
            readonly time: string;
            /** @enum {string} */
            readonly datacontenttype: "application/json";
            /** @description The trace of the request that added the pet, if it had one. */
            readonly traceparent?: string;
            readonly data: components["schemas"]["Pet"];
        };
        /** @description The body of every response with a status of 400 or more. */
        readonly Error: {
            /**
             * @description Machine-readable error code. Codes are never renamed; new ones may be added.
             *
             *     | status | codes |
             *     | --- | --- |
             *     | 400 | `malformed_json` `validation_failed` `invalid_parameter` `invalid_cursor` `bad_request` |
             *     | 401 | `missing_api_key` `invalid_api_key` |
             *     | 403 | `insufficient_scope` |
             *     | 404 | `pet_not_found` `route_not_found` |
             *     | 405 | `method_not_allowed` |
             *     | 408 | `request_timeout` |
             *     | 410 | `operation_removed` |
             *     | 412 | `precondition_failed` |
             *     | 413 | `payload_too_large` |
             *     | 415 | `unsupported_media_type` |
             *     | 417 | `expectation_failed` |
             *     | 422 | `idempotency_key_reused` |
             *     | 429 | `rate_limited` |
             *     | 431 | `headers_too_large` |
             *     | 500 | `internal_error` |
             *     | 503 | `unavailable` |
             */
            readonly code: string;
            /** @description Human-readable description; may change. */
            readonly message: string;
            /** @description The HTTP status code. */
            readonly status: number;
        };
    };
    responses: {
        /** @description The list has not changed since the `ETag` in `If-None-Match`. */
        readonly NotModified: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly Link: components["headers"]["NextPageLink"];
                readonly "X-Total-Count": components["headers"]["X-Total-Count"];
                readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                readonly Vary: components["headers"]["ListVary"];
                readonly ETag: components["headers"]["ETag"];
                readonly "Cache-Control": components["headers"]["RevalidatedCacheControl"];
                readonly [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is not valid HTTP. */
        readonly BadRequest: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing or invalid. The response does not say why it is invalid. */
        readonly Unauthorized: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                /**
                 * @description How to authenticate (RFC 6750); with `error="invalid_token"` unless the `Authorization` header was missing or empty.
                 * @example Bearer realm="animal-store"
                 */
                readonly "WWW-Authenticate": string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is valid, but lacks the scope that this operation needs. */
        readonly Forbidden: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                /**
                 * @description The scope that is needed (RFC 6750).
                 * @example Bearer realm="animal-store", error="insufficient_scope", scope="pets:write"
                 */
                readonly "WWW-Authenticate": string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The path exists but does not support this method. */
        readonly MethodNotAllowed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                /**
                 * @description The methods of this path, including HEAD and OPTIONS.
                 * @example GET, HEAD, OPTIONS
                 */
                readonly Allow: string;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request did not arrive in time. */
        readonly RequestTimeout: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `ETag` of what was asked for is none of those in `If-Match`, or a create has a condition that it cannot meet. */
        readonly PreconditionFailed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The `Expect` header names something else than `100-continue`. */
        readonly ExpectationFailed: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The API key has used up its quota, or too many requests without a good key came from this client address. The body was not
         *     read. Sent only if the operator limits rates.
         */
        readonly TooManyRequests: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                /**
                 * @description The exhausted quota, and `t` seconds until it is full again.
                 * @example "default";r=0;t=12
                 */
                readonly RateLimit: string;
                /**
                 * @description The quota, `q` requests per window of `w` seconds.
                 * @example "default";q=100;w=2
                 */
                readonly "RateLimit-Policy": string;
                /**
                 * @description Seconds until the quota is full again.
                 * @example 12
                 */
                readonly "Retry-After": number;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The headers or the URL are too large. */
        readonly HeadersTooLarge: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A defect in the service. The message contains the request id and no internal details. */
        readonly InternalError: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The store is not available, or too many requests are in flight. Retry after `Retry-After` seconds: reads are safe to
         *     retry, and so is POST with an `Idempotency-Key`. After a 503, a POST without one may or may not have added the pet.
         */
        readonly Unavailable: {
            headers: {
                readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                readonly Link: components["headers"]["HelpLink"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                /**
                 * @description Seconds to wait before the next attempt, spread over 1 to 3.
                 * @example 2
                 */
                readonly "Retry-After": number;
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Maximum number of entries returned. */
        readonly Limit: number;
        /** @description The `ETag`s of earlier responses, or `*`; if the response has none of them, it is 412. Evaluated before `If-None-Match`. */
        readonly IfMatch: string;
        /** @description The `ETag` of an earlier response; if nothing has changed since, the response is 304 without a body. */
        readonly IfNoneMatch: string;
        /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
        readonly RequestId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifies this request in the logs of the service.
         * @example 0b0e4b1a-6c1f-4c0c-9d3f-6c1a7f1a2b3c
         */
        readonly "X-Request-Id": string;
        /**
         * @description Strong validator of this response, for `If-Match` and `If-None-Match`.
         * @example "3f80f1d2a6c94c1d"
         */
        readonly ETag: string;
        /** @description The client may keep the response, and must revalidate it before it uses it again. */
        readonly RevalidatedCacheControl: "private, no-cache";
        /** @description Date on which the operation was deprecated, 21 November 2026 (RFC 9745). */
        readonly Deprecation: "@1795219200";
        /** @description When the operation is scheduled for removal (RFC 8594). */
        readonly Sunset: "Thu, 05 Dec 2030 00:00:00 GMT";
        /** @description The request headers on which the response depends. */
        readonly ListVary: "Prefer" | "Prefer, Origin";
        /** @description The request headers on which the response depends. */
        readonly EventsVary: "Accept" | "Accept, Origin";
        /**
         * @description The absolute address of the next page (RFC 8288); absent on the last page.
         * @example <https://pets.example/v1/pets?limit=2&cursor=MTI>; rel="next"
         */
        readonly NextPageLink: string;
        /**
         * @description How many pets on all pages match the filters; only if `Prefer` requested it.
         * @example 3
         */
        readonly "X-Total-Count": bigint;
        /** @description The preference that was applied; only with `X-Total-Count`. */
        readonly "Preference-Applied": "count=exact";
        /**
         * @description Where the deprecation is documented (`deprecation`) and what replaces the operation (`successor-version`); with an
         *     error, also where its code is explained (`help`).
         * @example <https://pets.example/docs>; rel="deprecation", <https://pets.example/v1/pets>; rel="successor-version"
         */
        readonly DeprecationLink: string;
        /**
         * @description Where the error code is explained (`help`).
         * @example </docs/errors#invalid_parameter>; rel="help"
         */
        readonly HelpLink: string;
        /**
         * @description The remaining quota of this API key and its successors: `r` requests, and `t` seconds until one more is available. Sent only if
         *     the operator limits rates.
         * @example "default";r=19;t=12
         */
        readonly RateLimit: string;
        /**
         * @description The quota of an API key: `q` requests per window of `w` seconds. Each instance of the service counts by itself. Sent
         *     only if the operator limits rates.
         * @example "default";q=100;w=2
         */
        readonly "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly listPets: {
        readonly parameters: {
            readonly query?: {
                /** @description Maximum number of entries returned. */
                readonly limit?: components["parameters"]["Limit"];
                /** @description Only pets with this status. A pet without a status matches no filter. */
                readonly status?: components["schemas"]["PetStatus"];
                /**
                 * @description Only pets with one of these ids; repeat the parameter for several (`?id=7&id=12`). Ids that no pet has
                 *     are ignored. `limit` and its default still apply. Another spelling (`id[]=7`, `ids=7`, `status[]=sold`) is an unknown
                 *     parameter and ignored: the response is the whole list.
                 */
                readonly id?: readonly bigint[];
                /**
                 * @description Where the page starts. Taken from the `Link` of the previous page, opaque, and bound to the filters of that
                 *     list. `limit` may change from page to page.
                 */
                readonly cursor?: string;
            };
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description `count=exact` requests `X-Total-Count`, the number of pets on all pages that match the filters (RFC 7240).
                 *     Other preferences are ignored.
                 */
                readonly Prefer?: string;
                /** @description The `ETag`s of earlier responses, or `*`; if the response has none of them, it is 412. Evaluated before `If-None-Match`. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `ETag` of an earlier response; if nothing has changed since, the response is 304 without a body. */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of pets; an empty array if none match. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["RevalidatedCacheControl"];
                    readonly Link: components["headers"]["NextPageLink"];
                    readonly "X-Total-Count": components["headers"]["X-Total-Count"];
                    readonly "Preference-Applied": components["headers"]["Preference-Applied"];
                    readonly Vary: components["headers"]["ListVary"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": 12,
                     *         "name": "Rex",
                     *         "categoryId": 7,
                     *         "status": "available"
                     *       },
                     *       {
                     *         "id": 11,
                     *         "name": "Tom",
                     *         "categoryId": 3
                     *       }
                     *     ]
                     */
                    readonly "application/json": readonly components["schemas"]["Pet"][];
                };
            };
            readonly 304: components["responses"]["NotModified"];
            /** @description A parameter is out of bounds, repeated, empty or malformed; or the request is not valid HTTP. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 417: components["responses"]["ExpectationFailed"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 431: components["responses"]["HeadersTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly createPet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /**
                 * @description Makes a retry safe: 1 to 255 visible ASCII characters, chosen by the client and kept for 24 hours. The key
                 *     belongs to the API key and its successors by rotation. The same request (an equal NewPet) under the same key
                 *     gets the first response again; a different NewPet gets 422. The key may be quoted (a string of RFC 8941, in
                 *     which `"` and `\` are escaped): quoted and bare form are the same key. A bare key does not start with a quote.
                 */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                /**
                 * @example {
                 *       "name": "Rex",
                 *       "categoryId": 7,
                 *       "status": "available"
                 *     }
                 */
                readonly "application/json": components["schemas"]["NewPet"];
            };
        };
        readonly responses: {
            /** @description The stored pet. */
            readonly 201: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /**
                     * @description The absolute address of the new pet.
                     * @example https://pets.example/v1/pets/12
                     */
                    readonly Location: string;
                    /** @description This is the response to an earlier request under the same `Idempotency-Key`; nothing was added. */
                    readonly "Idempotent-Replayed"?: "true";
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "name": "Rex",
                     *       "categoryId": 7,
                     *       "status": "available"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Pet"];
                };
            };
            /**
             * @description The body is not JSON, lacks required members or contains invalid values; or a header is malformed; or the
             *     request is not valid HTTP.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 412: components["responses"]["PreconditionFailed"];
            /** @description The body is too large (more than 64 KiB, unless configured otherwise). */
            readonly 413: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is not `application/json` in UTF-8, or has a `Content-Encoding`. */
            readonly 415: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /** @description The media type that the body must have. */
                    readonly "Accept-Post": "application/json";
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 417: components["responses"]["ExpectationFailed"];
            /** @description The `Idempotency-Key` was used for a different NewPet within the last 24 hours. */
            readonly 422: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 431: components["responses"]["HeadersTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly getPet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The `ETag`s of earlier responses, or `*`; if the response has none of them, it is 412. Evaluated before `If-None-Match`. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
                /** @description The `ETag` of an earlier response; if nothing has changed since, the response is 304 without a body. */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            readonly path: {
                /** @description Identifier of the pet to retrieve. A value that is not a plain int64 (`01`, `+1`, `1.0`, text) gets 404. */
                readonly petId: bigint;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The pet. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["RevalidatedCacheControl"];
                    readonly Deprecation: components["headers"]["Deprecation"];
                    readonly Sunset: components["headers"]["Sunset"];
                    readonly Link: components["headers"]["DeprecationLink"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 12,
                     *       "name": "Rex",
                     *       "categoryId": 7,
                     *       "status": "available"
                     *     }
                     */
                    readonly "application/json": components["schemas"]["Pet"];
                };
            };
            /** @description The pet has not changed since the `ETag` in `If-None-Match`. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["RevalidatedCacheControl"];
                    readonly Deprecation: components["headers"]["Deprecation"];
                    readonly Sunset: components["headers"]["Sunset"];
                    readonly Link: components["headers"]["DeprecationLink"];
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            readonly 400: components["responses"]["BadRequest"];
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            /** @description No pet has this identifier. */
            readonly 404: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly Deprecation: components["headers"]["Deprecation"];
                    readonly Sunset: components["headers"]["Sunset"];
                    readonly Link: components["headers"]["DeprecationLink"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            /** @description The operator has switched this operation off. */
            readonly 410: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly Deprecation: components["headers"]["Deprecation"];
                    readonly Sunset: components["headers"]["Sunset"];
                    readonly Link: components["headers"]["DeprecationLink"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 417: components["responses"]["ExpectationFailed"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 431: components["responses"]["HeadersTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listEvents: {
        readonly parameters: {
            readonly query?: {
                /** @description Maximum number of events of a page; a stream ignores it. */
                readonly limit?: number;
                /**
                 * @description The position after which to begin: opaque, taken from the `Link` of a page or the `id` of an event. Without it,
                 *     pages begin with the oldest event, and a stream with the next new one. `latest` is the end of the log: an empty page
                 *     whose `Link` has its position, or a stream that begins with the next new event.
                 */
                readonly after?: string;
            };
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
                /** @description The same as `after`, and takes precedence over it. */
                readonly "Last-Event-ID"?: string;
                /** @description The `ETag` of an earlier response; if nothing has changed since, the response is 304 without a body. */
                readonly "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /** @description The `ETag`s of earlier responses, or `*`; if the response has none of them, it is 412. Evaluated before `If-None-Match`. */
                readonly "If-Match"?: components["parameters"]["IfMatch"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of events, oldest first, or a stream. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    /**
                     * @description Strong validator of a page, for `If-None-Match`; a stream has none.
                     * @example "3f80f1d2a6c94c1d"
                     */
                    readonly ETag?: string;
                    /** @description Of a page, `private, no-cache`; of a stream, `no-store, no-transform`. */
                    readonly "Cache-Control": "private, no-cache" | "no-store, no-transform";
                    /**
                     * @description The absolute address of the next page (RFC 8288), on every page; a stream has none.
                     * @example <https://pets.example/v1/events?after=5c4a3b6e-8e8f-4a55-9c9a-1d8ae62d4c10.12>; rel="next"
                     */
                    readonly Link?: string;
                    readonly Vary: components["headers"]["EventsVary"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "specversion": "1.0",
                     *         "id": "3d8f2a4c-7b1e-4f0a-9c35-5e6d7f8a9b0c",
                     *         "source": "https://pets.example/v1",
                     *         "type": "org.animal-store.pet.created.v1",
                     *         "subject": "12",
                     *         "time": "2026-11-23T09:30:00.000Z",
                     *         "datacontenttype": "application/json",
                     *         "data": {
                     *           "id": 12,
                     *           "name": "Rex",
                     *           "categoryId": 7,
                     *           "status": "available"
                     *         }
                     *       }
                     *     ]
                     */
                    readonly "application/cloudevents-batch+json": readonly components["schemas"]["PetCreatedEvent"][];
                    /**
                     * @example id: 5c4a3b6e-8e8f-4a55-9c9a-1d8ae62d4c10.12
                     *     event: org.animal-store.pet.created.v1
                     *     data: {"specversion":"1.0","id":"3d8f2a4c-7b1e-4f0a-9c35-5e6d7f8a9b0c","source":"https://pets.example/v1","type":"org.animal-store.pet.created.v1","subject":"12","time":"2026-11-23T09:30:00.000Z","datacontenttype":"application/json","data":{"id":12,"name":"Rex","categoryId":7,"status":"available"}}
                     */
                    readonly "text/event-stream": string;
                };
            };
            /** @description There are no more events than at the `ETag` in `If-None-Match`. */
            readonly 304: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly Vary: components["headers"]["EventsVary"];
                    readonly ETag: components["headers"]["ETag"];
                    readonly "Cache-Control": components["headers"]["RevalidatedCacheControl"];
                    /**
                     * @description The absolute address of the next page (RFC 8288).
                     * @example <https://pets.example/v1/events?after=5c4a3b6e-8e8f-4a55-9c9a-1d8ae62d4c10.12>; rel="next"
                     */
                    readonly Link: string;
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
            /**
             * @description `limit` is out of bounds, repeated, empty or malformed; or the position is malformed, of another log, or beyond the end of
             *     the log; or the request is not valid HTTP.
             */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 412: components["responses"]["PreconditionFailed"];
            readonly 417: components["responses"]["ExpectationFailed"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 431: components["responses"]["HeadersTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
    readonly listOrders: {
        readonly parameters: {
            readonly query?: {
                /** @description Maximum number of entries returned. */
                readonly limit?: components["parameters"]["Limit"];
            };
            readonly header?: {
                /** @description Used in the response and the logs if it is 1 to 128 letters, digits or `_.:+/=@~-`, and neither an API key nor its secret; else replaced. */
                readonly "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description An empty list. */
            readonly 200: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    /** @example [] */
                    readonly "application/json": readonly unknown[];
                };
            };
            /** @description `limit` is out of bounds, repeated, empty or malformed; or the request is not valid HTTP. */
            readonly 400: {
                headers: {
                    readonly "X-Request-Id": components["headers"]["X-Request-Id"];
                    readonly Link: components["headers"]["HelpLink"];
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Error"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 403: components["responses"]["Forbidden"];
            readonly 405: components["responses"]["MethodNotAllowed"];
            readonly 408: components["responses"]["RequestTimeout"];
            readonly 417: components["responses"]["ExpectationFailed"];
            readonly 429: components["responses"]["TooManyRequests"];
            readonly 431: components["responses"]["HeadersTooLarge"];
            readonly 500: components["responses"]["InternalError"];
            readonly 503: components["responses"]["Unavailable"];
        };
    };
}
