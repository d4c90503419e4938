// Conditional reads (RFC 9110 §13): a strong ETag, 304 if the client has the response, 412 if If-Match does not hold.
import * as E from 'fp-ts/lib/Either.js'
import { isMadeFrom, type Pet } from '../../../domain/pets/pet.js'
import { setBounded } from '../../../domain/set-bounded.js'
import type { Crypto } from '../../../ports/crypto.js'
import type { HttpFailure } from '../failures.js'
import { fieldOf, type HttpRequest, type Reply, type TextReply } from '../messages/message.js'

type Sha256 = Crypto['sha256']

/** Hexadecimal digits of the tag: 160 bits of the hash, enough to distinguish all responses. */
const TAG_LENGTH = 40

/** The strong ETag (RFC 9110 §8.8.3) of content with this SHA-256 in hexadecimal. */
export const etagFrom = (hash: string): string => `"${hash.slice(0, TAG_LENGTH)}"`

// the headers that describe the page are part of the cached response
const etagOf = ({ body, headers }: TextReply, sha256: Sha256): string =>
  etagFrom(sha256(`${body}\n${fieldOf(headers, 'Link') ?? ''}\n${fieldOf(headers, 'X-Total-Count') ?? ''}`))

/**
 * Whether a field names the tag; undefined without the field. All its lines are one list (RFC 9110 §5.3). A plain split
 * will do: in a tag, backslashes escape nothing, and our tags contain no comma.
 */
const names = (lines: readonly string[], isSame: (tag: string) => boolean): boolean | undefined => {
  if (lines.length === 0) return undefined
  const list = lines.join(',')
  return list.trim() === '*' || list.split(',').some((tag) => isSame(tag.trim()))
}

/** Only the client's own cache may store the reply, and must revalidate it each time. */
const PRIVATE = ['Cache-Control', 'private, no-cache'] as const

export interface TaggedReply {
  readonly etag: string
  readonly reply: Reply
}

export const tagged = (reply: TextReply, sha256: Sha256): TaggedReply => {
  const etag = etagOf(reply, sha256)
  return {
    etag,
    reply: { status: reply.status, headers: [...reply.headers, ['ETag', etag], PRIVATE], body: reply.body },
  }
}

/** Headers that describe the body, which a 304 does not have. */
const OF_BODY: readonly string[] = ['Content-Type', 'Content-Encoding']

/**
 * The reply, or 304 without a body, or 412 (RFC 9110 §13.2.2): If-Match comes first and compares strongly, so weak tags
 * never match; If-None-Match compares weakly. Call it last: conditions apply only to a request that succeeds.
 */
export const conditional = (
  { header }: Pick<HttpRequest, 'header'>,
  { etag, reply }: TaggedReply,
): E.Either<HttpFailure, Reply> => {
  if (names(header('if-match'), (tag) => tag === etag) === false)
    return E.left({ _tag: 'PreconditionFailed', reason: 'the ETag of the response is none of those in If-Match' })
  const isKnown = names(header('if-none-match'), (tag) => tag.replace(/^W\//, '') === etag)
  return E.right(
    isKnown === true ? { status: 304, headers: reply.headers.filter(([name]) => !OF_BODY.includes(name)) } : reply,
  )
}

/**
 * Caches the last reply to each request until its pets change: text, link and tag take 40 % of the time of a list.
 * `request` must contain everything else that the reply depends on.
 */
export type ReplyMemory = (request: string, pets: readonly Pet[], make: () => TaggedReply) => TaggedReply

/** Stores that cache pets return the same objects, so that comparing the references usually suffices. */
const isSame = (one: Pet, other: Pet | undefined): boolean =>
  one === other || (other !== undefined && one.id === other.id && isMadeFrom(one, other))

export const makeReplyMemory = (maxSize: number): ReplyMemory => {
  const kept = new Map<string, { readonly pets: readonly Pet[]; readonly reply: TaggedReply }>()
  return (request, pets, make) => {
    const known = kept.get(request)
    if (known?.pets.length === pets.length && known.pets.every((pet, at) => isSame(pet, pets[at]))) return known.reply
    const reply = make()
    setBounded(kept, maxSize, request, { pets, reply })
    return reply
  }
}
