// A scripted service, and a client that calls it in virtual time.
import { type ClientSettings, makeClient } from '../../src/client/make-client.js'
import { makeVirtualTime } from './virtual-time.js'

/** What an attempt gets: a reply, a lost connection, or no reply at all. */
export type Scripted = Response | 'lost' | 'silent'

export const KEY = 'ast_live_0123456789'
export const PET = '{"id":1,"name":"Rex","categoryId":9223372036854775807}'

export const errorReply = (status: number, code: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify({ code, message: 'no', status }), { status, headers })

export const created = (): Response => new Response(PET, { status: 201 })
export const unavailable = (retryAfter = '0'): Response => errorReply(503, 'unavailable', { 'Retry-After': retryAfter })

/** The last entry of the script is repeated. */
export const scripted = (script: readonly Scripted[], settings: Partial<ClientSettings> = {}) => {
  const time = makeVirtualTime()
  const seen: { at: number; url: string; headers: Headers; body: string }[] = []
  const fetch = async (request: Request): Promise<Response> => {
    const { url, headers } = request
    const result = script[Math.min(seen.length, script.length - 1)]
    seen.push({ at: time.now(), url, headers, body: await request.text() })
    if (result === undefined || result === 'lost') throw new TypeError('fetch failed')
    return result === 'silent' ? new Promise<never>(() => {}) : result.clone()
  }
  const platform = { fetch, now: time.now, schedule: time.schedule, random: () => 0.5, ...settings.platform }
  const client = makeClient({ baseUrl: 'https://pets.test/v1', apiKey: KEY, ...settings, platform })
  return { client, seen, time }
}
