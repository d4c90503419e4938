// A scripted service, and a client that calls it in virtual time.
import { setImmediate as turn } from 'node:timers/promises'
import { type ClientSettings, makeClient } from '../../src/client/make-client.js'
import type { Platform } from '../../src/client/platform.js'

/** Turns of the event loop that complete all work without timers. */
const TURNS = 5

/** Time that jumps to the next timer when nothing else is left to do. */
export const makeVirtualTime = () => {
  let now = 0
  const timers = new Map<() => void, number>()

  const passToNext = (): void => {
    const [next] = [...timers].toSorted(([, one], [, other]) => one - other)
    if (next === undefined) return
    const [run, at] = next
    now = Math.max(now, at)
    timers.delete(run)
    run()
  }

  return {
    now: () => now,
    schedule: ((delayMs, run) => {
      const once = (): void => run()
      timers.set(once, now + delayMs)
      return () => timers.delete(once)
    }) satisfies Platform['schedule'],
    whole: async <A>(work: Promise<A>): Promise<A> => {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      for (;;) {
        for (let at = 0; at < TURNS; at += 1) await turn()
        if (isDone) return done
        passToNext()
      }
    },
  }
}

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
