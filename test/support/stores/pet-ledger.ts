// Creates pets under load, records what the service acknowledged, and checks it afterwards.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { expect } from 'vitest'
import { Pet, petJson } from '../../../src/domain/pets/pet.js'
import { exactJson } from '../documents/exact-json.js'
import { boundMs } from '../runner/night.js'

const REQUEST_LIMIT_MS = 5_000
/** Pause before retrying under the same key. */
const PAUSE_MS = 50

/** Each worker creates pets one by one, and retries each under its idempotency key until it is acknowledged. */
export const startLoad = (url: string, apiKey: string, workers: number) => {
  const authorization = `Bearer ${apiKey}`
  // status 0: the connection ended without a response
  const attempts: { readonly status: number; readonly milliseconds: number; readonly retryAfter: string | null }[] = []
  const told = new Map<string, string>()
  // Idempotency keys of different loads must differ
  const batch = randomUUID()
  let isRunning = true

  const post = (name: string): Promise<Response> =>
    fetch(`${url}/pets`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': name },
      body: `{"name":"${name}","categoryId":9223372036854775807}`,
      signal: AbortSignal.timeout(2 * REQUEST_LIMIT_MS),
    })

  const attempt = async (name: string): Promise<boolean> => {
    const begin = performance.now()
    const response = await post(name).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    attempts.push({
      status: text === undefined ? 0 : (response?.status ?? 0),
      milliseconds: performance.now() - begin,
      retryAfter: response?.headers.get('retry-after') ?? null,
    })
    if (response?.status === 201 && text !== undefined) told.set(name, text)
    return told.has(name)
  }

  const work = async (worker: number): Promise<void> => {
    for (let turn = 0; isRunning; turn += 1) {
      while (!(await attempt(`${batch}-${worker}-${turn}`))) await sleep(PAUSE_MS)
    }
  }
  const working = Promise.all(Array.from({ length: workers }, (_, worker) => work(worker)))

  const readAll = async (): Promise<readonly Pet[]> => {
    const pets: Pet[] = []
    for (let next: string | undefined = `${url}/pets?limit=100`; next !== undefined; ) {
      const response: Response = await fetch(next, { headers: { authorization } })
      const page = t.array(Pet).decode(exactJson(await response.text()))
      if (E.isLeft(page)) throw new Error(`${next} answered ${response.status} and no pets`)
      pets.push(...page.right)
      const link = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      // the public address of the service under test does not exist
      next = link === undefined ? undefined : `${url}/pets${new URL(link).search}`
    }
    return pets
  }

  return {
    acknowledged: () => [...told.values()],
    /** 0 means without a response. */
    count: (status: number) => attempts.filter((one) => one.status === status).length,
    more: async (pets: number) => {
      const goal = told.size + pets
      while (told.size < goal) await sleep(10)
    },
    /** Starts no new pets; resolves once all started ones are acknowledged. */
    stop: async () => {
      isRunning = false
      await working
    },
    /** Attempts ended in time (nightly only); each acknowledged pet is stored once, unchanged, with a unique id. */
    check: async () => {
      expect(attempts.filter(({ milliseconds }) => milliseconds > boundMs(REQUEST_LIMIT_MS))).toStrictEqual([])
      expect(attempts.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toStrictEqual([])
      expect(attempts.filter(({ status }) => ![0, 201, 503].includes(status))).toStrictEqual([])
      const stored = await readAll()
      expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length)
      expect(new Set(stored.map(({ name }) => name)).size).toBe(stored.length)
      const texts = new Set(stored.map(petJson))
      expect([...told.values()].filter((text) => !texts.has(text))).toStrictEqual([])
      for (const [name, text] of [...told].slice(-10)) {
        const again = await post(name)
        expect([again.headers.get('idempotent-replayed'), await again.text()]).toStrictEqual(['true', text])
      }
    },
  }
}

export type PetLedger = ReturnType<typeof startLoad>
