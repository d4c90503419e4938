// The query of a list, and the position of the next page.
import type { Pet, PetStatus } from './pet.js'

/** @since 1.0.0 @category Client */
export interface PetFilter {
  readonly status?: PetStatus | undefined
  /** Up to 100; an empty list matches no pet. */
  readonly ids?: readonly bigint[] | undefined
}

/** @since 1.0.0 @category Client */
export interface FirstPage extends PetFilter {
  /** 1 to 100; default 20. */
  readonly limit?: number | undefined
  /** Whether the page contains the number of pets on all pages. */
  readonly count?: boolean | undefined
  readonly next?: undefined
}

/** The next page after an earlier one, with the same filter and limit. @since 1.0.0 @category Client */
export interface NextPage {
  readonly next: string
  readonly status?: undefined
  readonly ids?: undefined
  readonly limit?: undefined
  readonly count?: boolean | undefined
}

/** @since 1.0.0 @category Client */
export type PetQuery = FirstPage | NextPage

/** @since 1.0.0 @category Client */
export interface PetPage {
  /** Newest first. */
  readonly pets: readonly Pet[]
  /** Present while more pets follow. Opaque: pass it to `listPets` unchanged. Contains no secret and no host. */
  readonly next: string | undefined
  /** Present only if the query requested it. */
  readonly total: number | undefined
}

export const listUrl = (base: string, query: PetQuery): string => {
  const url = new URL(`${base}/pets`)
  if (query.next !== undefined) {
    url.search = query.next
    return url.href
  }
  if (query.status !== undefined) url.searchParams.append('status', query.status)
  for (const id of query.ids ?? []) url.searchParams.append('id', String(id))
  if (query.limit !== undefined) url.searchParams.append('limit', String(query.limit))
  return url.href
}

/**
 * The query of the link to the next page (RFC 8288), without its host: the host would be wrong behind a proxy that the service
 * does not know, and the API key must not be sent to another host.
 */
export const nextOf = (headers: Headers, base: string): string | undefined => {
  for (const link of headers.get('Link')?.split(/,\s*(?=<)/) ?? []) {
    const target = /^<([^>]*)>.*;\s*rel="?next"?/.exec(link)?.[1]
    if (target !== undefined && URL.canParse(target, base)) return new URL(target, base).search
  }
  return undefined
}
