// The clients of a run create pets under idempotency keys, retry, page through all pets and follow the log.
import { setTimeout as sleep } from 'node:timers/promises'
import * as t from 'io-ts'
import { makeClient } from '../../../src/client/make-client.js'
import { type Attempt, type History, isOpen, petsIn, violationsOfWalk } from './history.js'

const WORKERS = 16
/** Shorter than the service may take, so that some creates are retried during their first attempt. */
const REQUEST_LIMIT_MS = 2_000
const PAUSE_MS = 20

interface Reply {
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
  readonly next: string | undefined
}

const NO_RESPONSE: Reply = { status: 0, text: '', isReplayed: false, next: undefined }

const Events = t.array(t.type({ subject: t.string }))

export const startClients = (urls: readonly string[], apiKey: string) => {
  const authorization = `Bearer ${apiKey}`
  const attempts: Attempt[] = []
  const acknowledged: bigint[] = []
  const violations: string[] = []
  let walks = 0
  let isRunning = true

  const request = async (
    instance: number,
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Reply> => {
    try {
      const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
      const headers = { authorization, ...init.headers }
      const response = await fetch(`${urls[instance % urls.length]}${path}`, { ...init, headers, signal })
      const text = await response.text()
      const link = /<(.+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
      const isReplayed = response.headers.get('idempotent-replayed') === 'true'
      return { status: response.status, text, isReplayed, next: link === undefined ? undefined : new URL(link).search }
    } catch {
      return NO_RESPONSE
    }
  }

  /** Sends a create until it gets a final response, alternating between the instances. */
  const create = async (key: string, name: string, first: number): Promise<void> => {
    const body = JSON.stringify({ name, categoryId: 1 })
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    for (let instance = first; ; instance += 1) {
      const start = performance.now()
      const { status, text, isReplayed } = await request(instance, '/pets', { method: 'POST', headers, body })
      const end = performance.now()
      attempts.push({ key, name, start, end, status, text, isReplayed })
      if (status === 201) acknowledged.push(...petsIn(`[${text}]`).map(({ id }) => id))
      if (!isOpen(status)) return
      await sleep(PAUSE_MS)
    }
  }

  const work = async (worker: number): Promise<void> => {
    for (let turn = 0; isRunning; turn += 1) {
      const key = `${worker}-${turn}`
      const create1 = create(key, `${key}-a`, worker + turn)
      // some keys are contended: the other instance gets a duplicate or a different create at the same time
      if (turn % 4 === 1) await create(key, `${key}-a`, worker + turn + 1)
      if (turn % 4 === 3) await create(key, `${key}-b`, worker + turn + 1)
      await create1
      await sleep(1)
    }
  }

  /** Reads pages in order; retries a page through the other instance until the status is 200. */
  const read = async (path: string, take: (text: string) => boolean): Promise<void> => {
    let instance = 0
    for (let query: string | undefined = '?limit=100'; query !== undefined; ) {
      instance += 1
      const { status, text, next }: Reply = await request(instance, `${path}${query}`)
      if (status !== 200) await sleep(PAUSE_MS)
      else if (!take(text)) return
      else query = next
      if (text === '[]') await sleep(PAUSE_MS)
      if (status !== 200 && !isOpen(status)) violations.push(`${path}${query} answered ${status}: ${text}`)
    }
  }

  const walkOnce = async () => {
    const before = [...acknowledged]
    const pets: ReturnType<typeof petsIn>[number][] = []
    await read('/pets', (text) => pets.push(...petsIn(text)) >= 0)
    walks += 1
    const ids = pets.map(({ id }) => id)
    violations.push(...violationsOfWalk(ids, before))
    return pets
  }
  const walk = async (): Promise<void> => {
    while (isRunning) await walkOnce()
  }

  /** By pages of the feed. */
  const follow = async (isDone: (seen: readonly bigint[]) => boolean): Promise<readonly bigint[]> => {
    const seen: bigint[] = []
    await read('/events', (text) => {
      const events = Events.decode(JSON.parse(text))
      if (events._tag === 'Left') throw new Error(`expected events: ${text.slice(0, 200)}`)
      seen.push(...events.right.map(({ subject }) => BigInt(subject)))
      return !isDone(seen)
    })
    return seen
  }

  const [streamed, ended]: [bigint[], AbortController] = [[], new AbortController()]
  /** By the stream of one instance, which the client resumes. */
  const stream = async (baseUrl = ''): Promise<void> => {
    const client = makeClient({ baseUrl, apiKey, backOff: { initialMs: PAUSE_MS, maxMs: 200 } })
    for await (const event of client.events({ after: 'oldest', signal: ended.signal })) {
      if (event.ok) streamed.push(event.value.pet.id)
      else if (event.error._tag !== 'aborted') violations.push(`the stream ended: ${event.error.message}`)
    }
    ended.abort()
  }

  let last = Number.POSITIVE_INFINITY
  const isDone = (seen: readonly bigint[]): boolean => Number(seen.at(-1) ?? 0) >= last
  const working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))
  const walking = walk()
  const following = follow(isDone)
  const streaming = stream(urls[0])

  return {
    responded: (status: number) => attempts.filter((one) => one.status === status).length,
    walks: () => walks,
    violations,
    /** Waits until every create has a response and the followers have caught up. */
    finish: async (): Promise<History> => {
      isRunning = false
      await Promise.all([working, walking])
      const stored = await walkOnce()
      last = Number(stored[0]?.id ?? 0)
      while (!isDone(streamed) && !ended.signal.aborted) await sleep(PAUSE_MS)
      ended.abort()
      await streaming
      return { attempts, followed: [await following, streamed], stored }
    },
  }
}
