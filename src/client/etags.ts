// The last replies with their ETags, so that an unchanged list is not sent again.
import type { Reply } from './reply.js'

/** One conditional read. */
export interface Revalidation {
  /** Make the request conditional, if a reply is kept. */
  readonly headers: Readonly<Record<string, string>>
  /** The reply to use: a 304 stands for the one that is kept; undefined if there is none. */
  readonly resolve: (reply: Reply) => Reply | undefined
}

/** Begins a read; the key is all that the reply depends on. */
export type Etags = (key: string) => Revalidation

export const noEtags: Etags = () => ({
  headers: {},
  resolve: (reply) => (reply.status === 304 ? undefined : reply),
})

/** Keeps the replies that were used last. */
export const keepEtags = (maxReplies: number): Etags => {
  const kept = new Map<string, { readonly etag: string; readonly reply: Reply }>()
  return (key) => {
    // taken now: by the time of the 304, other reads may have displaced it
    const known = kept.get(key)
    return {
      headers: known === undefined ? {} : { 'If-None-Match': known.etag },
      resolve: (reply) => {
        const current = reply.status === 304 ? known?.reply : reply
        const etag = current?.headers.get('ETag') ?? undefined
        // inserted anew, it counts as the one used last
        kept.delete(key)
        if (current !== undefined && etag !== undefined) kept.set(key, { etag, reply: current })
        const [oldest] = kept.keys()
        if (kept.size > maxReplies && oldest !== undefined) kept.delete(oldest)
        return current
      },
    }
  }
}
