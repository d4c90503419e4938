// What every peer of the HTTP comparison shares, so that all do the same work: pets in memory, the check of the key, the
// tag of an answer, the link to the next page, one line of log.
import { createHash, timingSafeEqual } from 'node:crypto'
import { pino } from 'pino'

type Fields = readonly (readonly [name: string, value: string])[]

export interface Refusal {
  readonly headers: Fields
  readonly body: string
}

/** What the run reads from the service and hands to its peers: texts and headers that are the same in each answer. */
export interface PeerSettings {
  readonly baseUrl: string
  readonly keyId: string
  /** SHA-256 of the API key, in hex. */
  readonly keyHash: string
  readonly headers: { readonly list: Fields; readonly one: Fields; readonly created: Fields }
  readonly invalidKey: Refusal
  readonly invalidPet: Refusal
}

export interface NewPet {
  readonly name: string
  readonly categoryId: number
  readonly status?: 'available' | 'pending' | 'sold'
}

export interface Pet extends NewPet {
  readonly id: number
}

export const settings = JSON.parse(process.env['PEER_SETTINGS'] ?? '') as PeerSettings
export const port = Number(process.env['PORT'])

export const log = pino({ base: null }, pino.destination({ dest: 1, sync: false }))

const pets: Pet[] = []

export const addPet = ({ name, categoryId, status }: NewPet): Pet => {
  const id = pets.length + 1
  const pet = status === undefined ? { id, name, categoryId } : { id, name, categoryId, status }
  pets.push(pet)
  return pet
}

export const findPet = (id: number): Pet | undefined => pets[id - 1]

export interface Page {
  readonly pets: readonly Pet[]
  /** Where the next page goes on, if there is one. */
  readonly before: number | undefined
}

/** The newest pets of a status with an id below `before`. */
export const pageOf = (limit: number, status: string | null, before = pets.length + 1): Page => {
  const found: Pet[] = []
  for (let at = before - 2; at >= 0; at -= 1) {
    const pet = pets[at]
    if (pet === undefined || (status !== null && pet.status !== status)) continue
    if (found.length === limit) return { pets: found, before: found.at(-1)?.id }
    found.push(pet)
  }
  return { pets: found, before: undefined }
}

const KEY_HASH = Buffer.from(settings.keyHash, 'hex')

export const isGoodKey = (authorization: string | undefined): boolean => {
  const key = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  return key !== undefined && timingSafeEqual(createHash('sha256').update(key).digest(), KEY_HASH)
}

/** A cursor with a check over its position and filter, 18 bytes like the service's own. */
export const nextLink = (before: number, limit: number, status: string | null): string => {
  const bytes = Buffer.alloc(18)
  bytes.writeBigInt64BE(BigInt(before))
  createHash('sha256').update(`${before} ${status}`).digest().copy(bytes, 8)
  const filter = status === null ? '' : `&status=${status}`
  return `<${settings.baseUrl}/pets?limit=${limit}${filter}&cursor=${bytes.toString('base64url')}>; rel="next"`
}

export const etagOf = (body: string, link = ''): string =>
  `"${createHash('sha256').update(`${body}\n${link}`).digest('base64url').slice(0, 27)}"`
