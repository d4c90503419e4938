import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { announceKeys } from '../../src/commands/serve.js'
import { type Unavailable, unavailable } from '../../src/domain/errors.js'
import type { ApiKeyStore } from '../../src/ports/api-key-store.js'
import { succeed } from '../../src/testing/samples.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'

const URL = 'http://127.0.0.1:8080/v1'

const announce = async (
  kind: 'embedded' | 'mongodb' | 'memory',
  apiKeys: ApiKeyStore,
  signal = new AbortController().signal,
  lost?: Error,
  url = URL,
) => {
  const texts: string[] = []
  const lines: (readonly [details: object, message: string])[] = []
  const write = (...line: readonly [details: object, message: string]): void => void lines.push(line)
  const log = { info: write, warn: write, error: write }
  await announceKeys(apiKeys, { kind, url, signal, clock: makeMovableClock() }, log, {
    notice: async (text) => {
      if (lost !== undefined) throw lost
      texts.push(text)
    },
  })
  expect(JSON.stringify(lines)).not.toContain('ast_live_')
  return { texts, lines }
}

const NOTHING = { texts: [], lines: [] }
const COMMAND = { texts: [], lines: [[{ command: 'animal-store keys create' }, expect.stringMatching(/^no API key/)]] }

const stores = () => makeMemoryStore().apiKeys

describe('announceKeys', () => {
  it('creates the first key of an embedded store once, and shows how to use it [first-start]', async () => {
    const apiKeys = stores()
    const { texts, lines } = await announce('embedded', apiKeys)
    expect(texts.join()).toMatch(
      /^API key \(shown this once\): (ast_live_\w+)\nTry it: {2}curl -H "Authorization: Bearer \1" http:\S+\/v1\/pets$/,
    )
    expect(lines).toEqual([[expect.objectContaining({ audit: true }), 'key created']])
    expect(await succeed(apiKeys.list)).toHaveLength(1)
    expect(await announce('embedded', apiKeys)).toEqual(NOTHING)
  })

  it('quotes the address for curl if a shell would take its brackets for a pattern', async () => {
    const { texts } = await announce('memory', stores(), undefined, undefined, 'http://[::1]:8080/v1')
    expect(texts.join()).toMatch(/" "http:\/\/\[::1\]:8080\/v1\/pets"$/)
  })

  it('names the command that creates the first key in a database, and creates none', async () => {
    const apiKeys = stores()
    expect(await announce('mongodb', apiKeys)).toEqual(COMMAND)
    expect(await succeed(apiKeys.list)).toEqual([])
  })

  it('retries while a database is unavailable', async () => {
    let asked = 0
    const apiKeys = stores()
    const list: ApiKeyStore['list'] = async () => {
      asked += 1
      if (asked === 2) return E.right([])
      return E.left(unavailable(new Error('away')))
    }
    const told = announce('mongodb', { ...apiKeys, list })
    expect(await told).toEqual(COMMAND)
    expect(asked).toBe(2)
  })

  it('stops retrying when the service stops', async () => {
    const list: TE.TaskEither<Unavailable, never> = TE.left(unavailable(new Error('away')))
    expect(await announce('mongodb', { ...stores(), list }, AbortSignal.abort())).toEqual(NOTHING)
    const stop = new AbortController()
    const told = announce('mongodb', { ...stores(), list }, stop.signal)
    stop.abort()
    expect(await told).toEqual(NOTHING)
  })

  it('revokes a first key that could not be shown, and names it', async () => {
    const apiKeys = stores()
    const err = new Error('ENOSPC')
    const { lines } = await announce('embedded', apiKeys, undefined, err)
    const [key] = await succeed(apiKeys.list)
    expect(lines).toEqual([
      [expect.objectContaining({ audit: true }), 'key created'],
      [
        { err, keyId: key?.id },
        `the key ${key?.id} was revoked, because it could not be shown; create one with animal-store keys create`,
      ],
    ])
    expect(key?.revokedAt).toEqual(O.some(expect.any(Number)))
  })

  it('creates one first key through outages of which one has stored it, and reports the first of them', async () => {
    const apiKeys = stores()
    const cause = new Error('full')
    let asked = 0
    const addFirst: ApiKeyStore['addFirst'] = (key) => async () => {
      asked += 1
      if (asked === 2) await succeed(apiKeys.addFirst(key))
      return asked < 3 ? E.left(unavailable(cause)) : E.right(false)
    }
    const { texts, lines } = await announce('embedded', { ...apiKeys, addFirst })
    expect(texts.join()).toMatch(/^API key \(shown this once\): ast_live_/)
    expect(lines).toEqual([
      [{ err: cause }, 'the first key could not be created yet'],
      [expect.objectContaining({ audit: true }), 'key created'],
    ])
    expect(await succeed(apiKeys.list)).toHaveLength(1)
  })
})
