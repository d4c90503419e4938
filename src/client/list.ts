// The query of a list, the position of the next page, and recent replies with their ETags, so that an unchanged list is not sent again.

import { setWithin } from '../domain/set-within.js'
import type { Reply } from './attempt.js'
import type { Pet, PetStatus } from './pet.js'

export interface PetFilter {
  readonly status?: PetStatus | undefined
  /** Up to 100; an empty list matches no pet. */
  readonly ids?: readonly bigint[] | undefined
}

export interface FirstPage extends PetFilter {
  /** 1 to 100; default 20. */
  readonly limit?: number | undefined
  /** Whether the page contains the number of pets on all pages. */
  readonly count?: boolean | undefined
  readonly next?: undefined
}

/** The next page after an earlier one, with the same filter and limit. */
export interface NextPage {
  readonly next: string
  readonly status?: undefined
  readonly ids?: undefined
  readonly limit?: undefined
  readonly count?: boolean | undefined
}

export type PetQuery = FirstPage | NextPage

export interface PetPage {
  /** Newest first. */
  readonly pets: readonly Pet[]
  /** Present while more pets follow. Opaque: pass it to `listPets` unchanged. Contains no secret and no host. */
  readonly next: string | undefined
  /** Present only if the query requested it. */
  readonly total: number | undefined
}

/** The query parameter of each filter member, and its values; a new member does not compile until it is here. */
const PARAMETERS_OF: {
  readonly [Member in keyof Required<PetFilter>]: (
    filter: PetFilter,
  ) => readonly [name: string, values: readonly string[]]
} = {
  status: ({ status }) => ['status', status === undefined ? [] : [status]],
  ids: ({ ids = [] }) => ['id', ids.map(String)],
}

export const listUrl = (base: string, query: PetQuery): string => {
  const url = new URL(`${base}/pets`)
  if (query.next !== undefined) {
    url.search = query.next
    return url.href
  }
  for (const parameterOf of Object.values(PARAMETERS_OF)) {
    const [name, values] = parameterOf(query)
    for (const value of values) url.searchParams.append(name, value)
  }
  if (query.limit !== undefined) url.searchParams.append('limit', String(query.limit))
  return url.href
}

// RFC 8288 §3: a target and its parameters, whose quoted values may contain commas and semicolons
const LINK = /[\s,]*<([^<>]*)>((?:[^",]|"(?:[^"\\]|\\.)*")*)(?:,|$)/gy
const PARAMETER = /;\s*([^\s;=",]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;",]*)))?/g

/** By their names in lower case. The first of several `rel` counts. */
const parametersIn = (text: string): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  for (const [, name = '', quoted, token = ''] of text.matchAll(PARAMETER)) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token)
  }
  return values
}

/** Whether this is among the relations. A link with an anchor is about another resource. */
const isNext = (parameters: ReadonlyMap<string, string>): boolean =>
  !parameters.has('anchor') && (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).includes('next')

/**
 * The query of the link to the next page (RFC 8288), without its host: the host would be wrong behind a proxy that the service
 * does not know, and the API key must not be sent to another host.
 */
export const nextOf = (headers: Headers, base: string): string | undefined => {
  for (const [, target = '', text = ''] of (headers.get('Link') ?? '').matchAll(LINK)) {
    if (isNext(parametersIn(text)) && URL.canParse(target, base)) return new URL(target, base).search
  }
  return undefined
}

export interface Revalidation {
  /** Headers that make the request conditional, if a reply is cached. */
  readonly headers: Readonly<Record<string, string>>
  /** The reply to use: the cached one for a 304; undefined if there is none. */
  readonly resolve: (reply: Reply) => Reply | undefined
}

/** Keeps the most recently used replies; none if the maximum is 0. */
export const keepEtags = (maxReplies: number): ((key: string) => Revalidation) => {
  const kept = new Map<string, { readonly etag: string; readonly reply: Reply }>()
  return (key) => {
    // taken now, because other reads may have displaced it when the 304 arrives
    const known = kept.get(key)
    return {
      headers: known === undefined ? {} : { 'If-None-Match': known.etag },
      resolve: (reply) => {
        const current = reply.status === 304 ? known?.reply : reply
        const etag = current?.headers.get('ETag') ?? undefined
        if (current !== undefined && etag !== undefined) setWithin(kept, maxReplies, key, { etag, reply: current })
        else kept.delete(key)
        return current
      },
    }
  }
}
