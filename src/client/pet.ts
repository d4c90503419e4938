// Pets, lists and events of the client. The types are independent of the domain, so that users need no fp-ts or io-ts.

export type PetStatus = 'available' | 'pending' | 'sold'

/** The body of a create. */
export interface NewPet {
  /** 1 to 256 code points, not only white space. */
  readonly name: string
  /** Any int64. */
  readonly categoryId: bigint
  readonly status?: PetStatus | undefined
}

export interface Pet {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status?: PetStatus
}

const STATUSES: Readonly<Record<PetStatus, true>> = { available: true, pending: true, sold: true }

const isStatus = (value: unknown): value is PetStatus => typeof value === 'string' && Object.hasOwn(STATUSES, value)

/** The JSON parser returns a number if a double is exact, else a bigint. */
const integerOf = (value: unknown): bigint | undefined => {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const petOf = (value: unknown): Pet | undefined => {
  if (!isObject(value)) return undefined
  const { name, status } = value
  const id = integerOf(value['id'])
  const categoryId = integerOf(value['categoryId'])
  if (id === undefined || categoryId === undefined || typeof name !== 'string') return undefined
  if (status === undefined) return { id, name, categoryId }
  return isStatus(status) ? { id, name, categoryId, status } : undefined
}

/** Undefined if any pet is invalid: an incomplete list would look complete. */
export const petsOf = (value: unknown): readonly Pet[] | undefined => {
  const pets = Array.isArray(value) ? value.map(petOf) : [undefined]
  return pets.every((pet) => pet !== undefined) ? pets : undefined
}

export interface PetCreated {
  /** Where to continue after this event: pass it as `after`. Opaque. */
  readonly position: string
  /** The same in every delivery of this event. */
  readonly id: string
  readonly source: string
  readonly type: string
  /** When the pet was added (RFC 3339). */
  readonly time: string
  readonly pet: Pet
}

/** `other`: an event of a type newer than this client. Undefined: not an event. */
export const eventOf = (value: unknown, position: string): PetCreated | 'other' | undefined => {
  if (!isObject(value)) return undefined
  const { id, source, type, time } = value
  if (typeof type !== 'string') return undefined
  if (!type.endsWith('.pet.created.v1')) return 'other'
  const pet = petOf(value['data'])
  const isComplete = typeof id === 'string' && typeof source === 'string' && typeof time === 'string'
  return isComplete && pet !== undefined ? { position, id, source, type, time, pet } : undefined
}

export interface PetFilter {
  readonly status?: PetStatus | undefined
  /** Up to 100; an empty list matches no pet. */
  readonly ids?: readonly bigint[] | undefined
}

export interface PetQuery extends PetFilter {
  /** 1 to 100; default 20. */
  readonly limit?: number | undefined
  /** Whether the page contains the number of pets on all pages. */
  readonly count?: boolean | undefined
  /** Of an earlier page, whose filter and limit it includes. */
  readonly next?: string | undefined
}

export interface PetPage {
  /** Newest first. */
  readonly pets: readonly Pet[]
  /** Present while more pets follow. Opaque: pass it to `listPets` unchanged. Contains no secret and no host. */
  readonly next: string | undefined
  /** Present only if the query requested it. */
  readonly total: number | undefined
}

export const listUrl = (base: string, { next = '', status, ids = [], limit }: PetQuery): string => {
  const url = new URL(`${base}/pets`)
  url.search = next
  if (next !== '') return url.href
  // a new member of the filter does not compile until it is handled here
  const parameters: Readonly<Record<keyof PetFilter | 'limit', [name: string, value: string][]>> = {
    status: status === undefined ? [] : [['status', status]],
    ids: ids.map((id) => ['id', String(id)]),
    limit: limit === undefined ? [] : [['limit', String(limit)]],
  }
  for (const [name, value] of Object.values(parameters).flat()) url.searchParams.append(name, value)
  return url.href
}

/** The query of the link to the next page. Ignores its host, because the API key must not go to another host. */
export const nextOf = (headers: Headers, base: string): string | undefined => {
  // matches the form that the service writes, also among other links
  const [, target] = /<([^<>]*)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
  return target !== undefined && URL.canParse(target, base) ? new URL(target, base).search : undefined
}
