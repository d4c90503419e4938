// Shared by all peers, so that they do the same work: the check of the key, ETag, link to the next page and log line.
import { createHash, timingSafeEqual } from 'node:crypto'
import { pino } from 'pino'

type Fields = readonly (readonly [name: string, value: string])[]

export interface Refusal {
  readonly headers: Fields
  readonly body: string
}

/** Texts and headers from the service that are the same in every answer, so that its peers can send them. */
export interface PeerSettings {
  readonly baseUrl: string
  readonly keyId: string
  /** SHA-256 of the API key, in hex. */
  readonly keyHash: string
  readonly headers: { readonly list: Fields; readonly one: Fields; readonly created: Fields }
  readonly invalidKey: Refusal
  readonly invalidPet: Refusal
}

export const settings = JSON.parse(process.env['PEER_SETTINGS'] ?? '') as PeerSettings
export const port = Number(process.env['PORT'])

export const log = pino({ base: null }, pino.destination({ dest: 1, sync: false }))

const KEY_HASH = Buffer.from(settings.keyHash, 'hex')

export const isGoodKey = (authorization: string | undefined): boolean => {
  const key = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1]
  return key !== undefined && timingSafeEqual(createHash('sha256').update(key).digest(), KEY_HASH)
}

/** The cursor contains a check of its position and filter, and has 36 hexadecimal digits like the service's. */
export const nextLink = (before: number, limit: number, status: string | null): string => {
  const position = BigInt(before).toString(16).padStart(16, '0')
  const check = createHash('sha256').update(`${before} ${status}`).digest('hex').slice(0, 20)
  const filter = status === null ? '' : `&status=${status}`
  return `<${settings.baseUrl}/pets?limit=${limit}${filter}&cursor=${position}${check}>; rel="next"`
}

export const etagOf = (body: string, link = ''): string =>
  `"${createHash('sha256').update(`${body}\n${link}`).digest('hex').slice(0, 40)}"`
