// A static file, which never changes while the process runs: read once, and shared by all responses.
import { hash } from 'node:crypto'
import { conditional, etagFrom, type TaggedReply } from '../messages/conditional.js'
import type { HeaderFields } from '../messages/message.js'
import type { PublicEndpoint } from '../route.js'

/** Part of the address of a file that may be cached for good: it changes with the content. */
export const versionOf = (bytes: Uint8Array): string => etagFrom(hash('sha256', bytes)).slice(1, -1)

const FOR_GOOD = 'public, max-age=31536000, immutable'
/** Also for a version that this process does not have, such as while another one is replaced. */
const REVALIDATED = 'public, no-cache'

const repliesOf = (body: Uint8Array, headers: HeaderFields) => {
  const version = versionOf(body)
  const etag = `"${version}"`
  const cached = (cacheControl: string): TaggedReply => ({
    etag,
    reply: { status: 200, headers: [...headers, ['ETag', etag], ['Cache-Control', cacheControl]], body },
  })
  return { version, forGood: cached(FOR_GOOD), revalidated: cached(REVALIDATED) }
}

/**
 * The endpoint of a file, with the headers for its type; with its version as the query `v=…`, it may be cached for good. The first
 * request reads it, so that the start does not wait for it.
 */
export const staticFile = (load: () => Promise<Uint8Array>, headers: HeaderFields): PublicEndpoint => {
  let loaded: Promise<ReturnType<typeof repliesOf>> | undefined
  return async (request) => {
    // the next request retries after a failure, such as too many open files
    loaded ??= load().then(
      (body) => repliesOf(body, headers),
      (error: unknown) => {
        loaded = undefined
        throw error
      },
    )
    const { version, forGood, revalidated } = await loaded
    return conditional(request, request.query === `v=${version}` ? forGood : revalidated)
  }
}
