// The query of a list, and the position of the next page.
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

/** The form in which the service writes it, also among other links. */
const NEXT = /<([^<>]*)>; rel="next"/

/**
 * The query of the link to the next page, without its host: the host would be wrong behind a proxy that the service does not
 * know, and the API key must not be sent to another host.
 */
export const nextOf = (headers: Headers, base: string): string | undefined => {
  const [, target] = NEXT.exec(headers.get('Link') ?? '') ?? []
  return target !== undefined && URL.canParse(target, base) ? new URL(target, base).search : undefined
}
