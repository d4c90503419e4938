// Requests that cost the service much for what they cost the client.
import { framedPost } from '../support/http/raw-requests.js'
import type { Target } from './target.js'

const CHUNK = '1\r\n \r\n'
export const BYTES_PER_CHUNK = CHUNK.length

/** A create whose body arrives one byte at a time. */
export const inOneByteChunks = (key: string, chunks: number): string =>
  `${framedPost(key, 'Transfer-Encoding: chunked\r\n')}${CHUNK.repeat(chunks)}0\r\n\r\n`

const LONGEST_NAME = '\u{1F600}'.repeat(256)
const LARGEST_LIMIT = 100

/** Makes `limit=100` the longest response that a request with a key can ask for. */
export const seedLargestPage = async ({ call }: Target): Promise<void> => {
  const body = JSON.stringify({ name: LONGEST_NAME, categoryId: 1 })
  for (let count = 0; count < LARGEST_LIMIT; count += 1) await call('POST', '/v1/pets', { body })
}
