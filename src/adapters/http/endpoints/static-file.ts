// A static file, which never changes while the process runs: read once, and shared by all responses.
import { hash } from 'node:crypto'
import Negotiator from 'negotiator'
import { conditional, etagFrom, type TaggedReply } from '../messages/conditional.js'
import type { HeaderFields } from '../messages/message.js'
import type { PublicEndpoint } from '../route.js'

/** Part of the address of a file that may be cached for good: it changes with the content. */
export const versionOf = (bytes: Uint8Array): string => etagFrom(hash('sha256', bytes)).slice(1, -1)

const FOR_GOOD = 'public, max-age=31536000, immutable'
/** Also for a version that this process does not have, such as while another one is replaced. */
const REVALIDATED = 'public, no-cache'

/** One encoding of the file, with its own ETag (RFC 9110 §8.8.3). */
const represent = (body: Uint8Array, headers: HeaderFields) => {
  const etag = etagFrom(hash('sha256', body))
  const cached = (cacheControl: string): TaggedReply => ({
    etag,
    reply: {
      status: 200,
      headers: [...headers, ['Vary', 'Accept-Encoding'], ['ETag', etag], ['Cache-Control', cacheControl]],
      body,
    },
  })
  return { forGood: cached(FOR_GOOD), revalidated: cached(REVALIDATED) }
}

/** The gzip of the content with this version, if the build has made one. */
export type Compressed = (version: string) => Promise<Uint8Array | undefined>

const representations = async (load: () => Promise<Uint8Array>, compressed: Compressed, headers: HeaderFields) => {
  const bytes = await load()
  const version = versionOf(bytes)
  const gzip = await compressed(version)
  return {
    version,
    identity: represent(bytes, headers),
    gzip: gzip && represent(gzip, [...headers, ['Content-Encoding', 'gzip']]),
  }
}

/**
 * The endpoint of a file, with the headers for its type; with its version as the query `v=…`, it may be cached for good. The first
 * request reads it, so that the start does not wait for it.
 */
export const staticFile = (
  load: () => Promise<Uint8Array>,
  compressed: Compressed,
  headers: HeaderFields,
): PublicEndpoint => {
  let loaded: ReturnType<typeof representations> | undefined
  return async (request) => {
    // the next request retries after a failure, such as too many open files
    loaded ??= representations(load, compressed, headers).catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    const negotiator = new Negotiator({ headers: { 'accept-encoding': request.header('accept-encoding').join() } })
    const coding = negotiator.encoding(['gzip', 'identity'])
    const { version, identity, gzip } = await loaded
    const { forGood, revalidated } = coding === 'gzip' && gzip !== undefined ? gzip : identity
    return conditional(request, request.query === `v=${version}` ? forGood : revalidated)
  }
}
