// The client of the service: typed calls over fetch, without a dependency.
import { stringifyJson } from '../domain/json/stringify-json.js'
import type { Result } from './client-error.js'
import { type EventsOptions, followEvents } from './follow-events.js'
import {
  listUrl,
  type NewPet,
  nextOf,
  type Pet,
  type PetCreated,
  type PetPage,
  type PetQuery,
  petOf,
  petsOf,
} from './pet.js'
import { makeIdempotencyKey, makeOnAbort, type Platform, webPlatform } from './platform.js'
import { type Caller, type CallOptions, failed, type RetrySettings, send, succeeded, unexpectedReply } from './send.js'

export interface ClientSettings extends Partial<RetrySettings> {
  /** The absolute base address, http or https, with `/v1`. */
  readonly baseUrl: string | URL
  readonly apiKey: string
  /** Replaces parts of the platform, for tests and for other runtimes. */
  readonly platform?: Partial<Platform>
}

export interface CreateOptions extends CallOptions {
  /**
   * By default, each call has a new key, used by all its attempts. With your own key, you can repeat the call after a
   * failure or a crash: the same pet under the same key is added once within 24 hours. `false` sends no key, and the
   * request is never retried.
   */
  readonly idempotencyKey?: string | false | undefined
}

export interface PetAdded {
  readonly pet: Pet
  /** True if an earlier request with the same key had added the pet. */
  readonly replayed: boolean
}

/** After `network`, `timeout` or a 5xx, the pet may have been added: call again with this key to find out. */
export type CreateResult = Result<PetAdded> & { readonly idempotencyKey: string | undefined }

export interface Client {
  readonly createPet: (newPet: NewPet, options?: CreateOptions) => Promise<CreateResult>
  /** One page, newest first. */
  readonly listPets: (query?: PetQuery, options?: CallOptions) => Promise<Result<PetPage>>
  /** Every page, starting with this query; only the first has the count, if requested. An error is the last element. */
  readonly pages: (query?: PetQuery, options?: CallOptions) => AsyncIterable<Result<PetPage>>
  /** Every event, once, in order. Reconnects by itself. An error that a retry cannot fix is the last element. */
  readonly events: (options?: EventsOptions) => AsyncIterable<Result<PetCreated>>
  /** The pet with this id, if any. Uses the `id` filter of the list, because GET /pets/{petId} is deprecated. */
  readonly findPet: (id: bigint, options?: CallOptions) => Promise<Result<Pet | undefined>>
}

/** Requires http or https: `localhost:8080/v1` would be a valid URL with the scheme `localhost`. */
const BASE_URL = /^https?:\/\/[^\s\\/?#@]+(?:\/[^\s\\?#]*)?$/i

/** The error does not quote the text, which may contain a password. */
const baseOf = (text: string): string => {
  if (!BASE_URL.test(text) || !URL.canParse(text))
    throw new TypeError(
      'baseUrl: wanted an absolute http or https address without user, password, query and fragment, such as https://pets.example/v1',
    )
  const { origin, pathname } = new URL(text)
  return origin + pathname.replace(/\/$/, '')
}

/**
 * A client of one service with one API key. Calls never reject for expected failures, but resolve to a `Result`.
 * Throws a TypeError if the base address is not an absolute http or https URL, or has credentials, a query or a fragment.
 *
 * @example
 * const fetch = async () => new Response('[{"id":1,"name":"Rex","categoryId":9223372036854775807}]')
 * const client = makeClient({ baseUrl: 'https://pets.example/v1', apiKey: 'ast_live_key', platform: { fetch } })
 * const pet = { id: 1n, name: 'Rex', categoryId: 9223372036854775807n }
 * const found = await client.findPet(1n)
 * found // => { ok: true, value: pet }
 */
export const makeClient = (settings: ClientSettings): Client => {
  const { apiKey, attemptTimeoutMs = 10_000, timeoutMs = 60_000, maxAttempts = 10 } = settings
  const { backOff = { initialMs: 100, maxMs: 5_000 } } = settings
  const base = baseOf(String(settings.baseUrl))
  const platform: Platform = { ...webPlatform, ...settings.platform }
  const held = { onAbort: makeOnAbort(), requests: new WeakMap<AbortSignal, Request>() }
  const caller: Caller = { base, apiKey, platform, ...held, attemptTimeoutMs, timeoutMs, maxAttempts, backOff }

  const createPet: Client['createPet'] = async ({ name, categoryId, status }, options = {}) => {
    const key = options.idempotencyKey ?? makeIdempotencyKey()
    const idempotencyKey = key === false ? undefined : key
    const body = stringifyJson({ name, categoryId, status } satisfies Record<keyof NewPet, unknown>)
    const result = await send(caller, { url: `${base}/pets`, body, idempotencyKey }, options)
    if (!result.ok) return { ...result, idempotencyKey }
    const pet = result.value.status === 201 ? petOf(result.value.json) : undefined
    if (pet === undefined) return { ...failed(unexpectedReply(result.value, 'a pet')), idempotencyKey }
    const replayed = result.value.headers.get('Idempotent-Replayed') === 'true'
    return { ...succeeded({ pet, replayed }), idempotencyKey }
  }

  const listPets: Client['listPets'] = async (query = {}, options = {}) => {
    if (query.ids?.length === 0) return succeeded({ pets: [], next: undefined, total: query.count ? 0 : undefined })
    const headers = query.count === true ? { Prefer: 'count=exact' } : undefined
    const result = await send(caller, { url: listUrl(base, query), headers }, options)
    if (!result.ok) return result
    const reply = result.value
    const pets = petsOf(reply.json)
    if (pets === undefined) return failed(unexpectedReply(reply, 'a list of pets'))
    const next = nextOf(reply.headers, base)
    // otherwise `pages` would never end
    if (next === (query.next ?? '')) return failed(unexpectedReply(reply, 'a link to another page'))
    const total = reply.headers.get('X-Total-Count')
    return succeeded({ pets, next, total: total === null ? undefined : Number(total) })
  }

  async function* pages(query: PetQuery = {}, options: CallOptions = {}): AsyncGenerator<Result<PetPage>, void> {
    for (let at: PetQuery | undefined = query; at !== undefined; ) {
      const page: Result<PetPage> = await listPets(at, options)
      yield page
      at = page.ok && page.value.next !== undefined ? { next: page.value.next } : undefined
    }
  }

  const findPet: Client['findPet'] = async (id, options) => {
    const found = await listPets({ ids: [id], limit: 1 }, options)
    // as text, because JavaScript callers may pass a number, which never equals a bigint
    return found.ok ? succeeded(found.value.pets.find((pet) => String(pet.id) === String(id))) : found
  }

  return { createPet, listPets, pages, findPet, events: (options = {}) => followEvents(caller, options) }
}
