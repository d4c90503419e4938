import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../../src/adapters/memory/store.js'
import { makeNewPetParser } from '../../../src/adapters/node/new-pet-parser.js'
import { nodeCrypto, systemClock } from '../../../src/adapters/node/system.js'
import { SCOPES } from '../../../src/domain/api-keys/api-key.js'
import { createApiKey } from '../../../src/domain/api-keys/create-api-key.js'
import { decodeNewPet } from '../../../src/domain/pets/pet.js'
import { parseNewPetJson } from '../../../src/domain/pets/pet-json.js'
import type * as service from '../../../src/exports/http.js'
import { succeed } from '../../../src/testing/samples.js'

const LONG = 200_000

/** The thread of the built service. */
const { parse, close } = makeNewPetParser({
  maxBodyBytes: 1_048_576,
  notify: ({ message, details }) => {
    throw new Error(`${message}: ${details['reason']}`)
  },
  program: pathToFileURL(join('dist', 'parsing-thread.js')),
})

beforeAll(() => close)

const long = (text: string): Uint8Array => new TextEncoder().encode(text.padEnd(LONG, ' '))

/** As without a thread: the endpoint parses, and the use case decodes. */
const parsedHere = (body: Uint8Array) => pipe(parseNewPetJson(body), E.chainW(decodeNewPet))

describe('the thread that parses long bodies', () => {
  it.each([
    ['a pet', '{"name":"Rex","categoryId":9223372036854775807,"status":"sold"}'],
    ['other members', '{"name":"Rex","categoryId":-9223372036854775808,"id":1,"tags":[{}]}'],
    ['faults', '{"name":"","categoryId":9223372036854775808,"status":"gone"}'],
    ['no object', '[]'],
    ['a name twice', '{"name":"Rex","name":"Rex","categoryId":1}'],
    ['no JSON', '{"name":'],
    ['65 levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['a byte order mark', '\uFEFF{"name":"Rex","categoryId":1}'],
  ])('agrees with the parser of short bodies on %s', async (_, text) => {
    expect(await parse(long(text))).toStrictEqual(parsedHere(long(text)))
  })

  it('agrees on bytes that are no UTF-8', async () => {
    const bytes = long('{"name":"Rex","categoryId":1}').fill(0xff, 9, 10)
    const expected = parsedHere(bytes)
    expect(await parse(bytes)).toStrictEqual(expected)
  })

  it('ends with its service, which leaves no thread behind', async () => {
    const built = pathToFileURL(join('dist', 'exports', 'http.js')).href
    const { DEFAULT_SERVICE, startService } = (await import(built)) as typeof service
    const store = makeMemoryStore()
    const { url, stop } = await succeed(
      startService({ ...DEFAULT_SERVICE, port: 0, drainMs: 0, maxBodyBytes: LONG }, { store }),
    )
    const create = createApiKey({ ...store, clock: systemClock, crypto: nodeCrypto })
    const { text } = await succeed(create({ name: O.none, scopes: SCOPES, lifetimeMs: O.none }))
    const started = once(process, 'worker') as Promise<[Worker]>
    const headers = { Authorization: `Bearer ${text}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`${url}/pets`, {
      method: 'POST',
      headers,
      body: '{"name":"a","categoryId":1}'.padEnd(LONG),
    })
    expect(answer.status).toBe(201)
    const [worker] = await started
    const ended = once(worker, 'exit')
    await stop()
    // by itself it would end after ten seconds without work
    expect(await Promise.race([ended, pause(5_000, 'it goes on', { ref: false })])).toStrictEqual([expect.any(Number)])
  })

  it('agrees on any JSON', async () => {
    const member = fc.oneof(fc.constantFrom('available', 'gone', '', 1, 2 ** 53, null), fc.jsonValue())
    const newPet = fc.record({ name: member, categoryId: member, status: member }, { requiredKeys: [] })
    await fc.assert(
      fc.asyncProperty(fc.oneof(newPet, fc.jsonValue()), async (value) => {
        const body = long(JSON.stringify(value))
        const expected = parsedHere(body)
        expect(await parse(body)).toStrictEqual(expected)
      }),
    )
  })
})
