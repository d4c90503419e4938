// A static file, which never changes while the process runs: read and compressed once, and shared by all responses.
import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import * as E from 'fp-ts/lib/Either.js'
import Negotiator from 'negotiator'
import { conditionOf, etagFrom, PRECONDITION_FAILED } from '../messages/conditional.js'
import type { HeaderFields, Reply } from '../messages/message.js'
import type { PublicEndpoint } from '../route.js'

interface StaticFile {
  readonly load: () => Promise<Uint8Array>
  /** The headers for its type. */
  readonly headers: HeaderFields
}

/** One encoding of the file, with its own ETag (RFC 9110 §8.8.3). */
interface Representation {
  readonly etag: string
  readonly full: Reply
  readonly notModified: Reply
}

const represent = (bytes: Uint8Array, headers: HeaderFields, coding: 'gzip' | 'identity'): Representation => {
  const etag = etagFrom(hash('sha256', bytes))
  const common: HeaderFields = [...headers, ['Vary', 'Accept-Encoding'], ['ETag', etag]]
  const full: HeaderFields = coding === 'gzip' ? [...common, ['Content-Encoding', 'gzip']] : common
  return {
    etag,
    full: { status: 200, headers: full, body: bytes },
    notModified: { status: 304, headers: common.filter(([name]) => name !== 'Content-Type') },
  }
}

/** Part of the address of a file that may be cached for good: it changes with the content. */
export const versionOf = (bytes: Uint8Array): string => etagFrom(hash('sha256', bytes)).slice(1, -1)

const FOR_GOOD = ['Cache-Control', 'public, max-age=31536000, immutable'] as const
/** Also for a version that this process does not have, such as while another one is replaced. */
const REVALIDATED = ['Cache-Control', 'public, no-cache'] as const

const cached = (reply: Reply, isForGood: boolean): Reply => ({
  ...reply,
  headers: [...reply.headers, isForGood ? FOR_GOOD : REVALIDATED],
})

const compress = promisify(gzip)

const representations = async ({ load, headers }: StaticFile) => {
  const bytes = await load()
  return {
    version: versionOf(bytes),
    identity: represent(bytes, headers, 'identity'),
    gzip: represent(await compress(bytes, { level: 9 }), headers, 'gzip'),
  } as const
}

/**
 * The endpoint of a file; with its version as the query `v=…`, it may be cached for good. The first request reads it, so that the start does not wait for it.
 */
export const staticFile = (file: StaticFile): PublicEndpoint => {
  let loaded: ReturnType<typeof representations> | undefined
  return async (request) => {
    // the next request retries after a failure, such as too many open files
    loaded ??= representations(file).catch((error: unknown) => {
      loaded = undefined
      throw error
    })
    const negotiator = new Negotiator({ headers: { 'accept-encoding': request.header('accept-encoding').join() } })
    const coding = negotiator.encoding(['gzip', 'identity'])
    const { version, ...encoded } = await loaded
    const chosen = encoded[coding === 'gzip' ? 'gzip' : 'identity']
    const condition = conditionOf(request, chosen.etag)
    if (condition === 'failed') return PRECONDITION_FAILED
    return E.right(
      cached(condition === 'not modified' ? chosen.notModified : chosen.full, request.query === `v=${version}`),
    )
  }
}
