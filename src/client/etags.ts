// Caches recent replies with their ETags, so that an unchanged list is not sent again.
import type { Reply } from './reply.js'

/** One conditional read. */
export interface Revalidation {
  /** Headers that make the request conditional, if a reply is cached. */
  readonly headers: Readonly<Record<string, string>>
  /** The reply to use: the cached one for a 304; undefined if there is none. */
  readonly resolve: (reply: Reply) => Reply | undefined
}

/** Begins a read; the key identifies the reply. */
export type Etags = (key: string) => Revalidation

export const noEtags: Etags = () => ({
  headers: {},
  resolve: (reply) => (reply.status === 304 ? undefined : reply),
})

/** Keeps the most recently used replies. */
export const keepEtags = (maxReplies: number): Etags => {
  const kept = new Map<string, { readonly etag: string; readonly reply: Reply }>()
  return (key) => {
    // taken now, because other reads may have displaced it when the 304 arrives
    const known = kept.get(key)
    return {
      headers: known === undefined ? {} : { 'If-None-Match': known.etag },
      resolve: (reply) => {
        const current = reply.status === 304 ? known?.reply : reply
        const etag = current?.headers.get('ETag') ?? undefined
        // inserted again, so that it counts as the most recent one
        kept.delete(key)
        if (current !== undefined && etag !== undefined) kept.set(key, { etag, reply: current })
        const [oldest] = kept.keys()
        if (kept.size > maxReplies && oldest !== undefined) kept.delete(oldest)
        return current
      },
    }
  }
}
