import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { describe, expect, it } from 'vitest'
import { makeMemoryStore } from '../../src/adapters/memory/store.js'
import { announceKeys } from '../../src/commands/keys/first-key.js'
import { type Unavailable, unavailable } from '../../src/domain/errors.js'
import type { ApiKeyStore } from '../../src/ports/api-key-store.js'
import { succeed } from '../../src/testing/samples.js'
import { makeMovableClock } from '../support/domain/movable-clock.js'
import { useFakeTimers } from '../support/runner/fake-timers.js'

const URL = 'http://127.0.0.1:8080/v1'

const announce = async (
  kind: 'embedded' | 'mongodb' | 'memory',
  apiKeys: ApiKeyStore,
  signal = AbortSignal.abort(),
) => {
  const told: unknown[] = []
  await announceKeys(
    apiKeys,
    { kind, url: URL, signal, clock: makeMovableClock() },
    {
      created: ({ text }) => told.push(text),
      missing: (command) => told.push(command),
      failed: (cause) => told.push(cause),
    },
  )
  return told
}

const stores = () => makeMemoryStore().apiKeys
const open = () => new AbortController().signal

describe('announceKeys', () => {
  it('creates the first key of an embedded store once, and shows how to use it [first-start]', async () => {
    const apiKeys = stores()
    const [text] = await announce('embedded', apiKeys)
    expect(text).toMatch(
      /^API key \(shown this once\): (ast_live_\w+)\nTry it: {2}curl -H "Authorization: Bearer \1" http:\S+\/v1\/pets$/,
    )
    expect(await succeed(apiKeys.list)).toHaveLength(1)
    expect(await announce('embedded', apiKeys)).toEqual([])
  })

  it('names the command that creates the first key in a database, and creates none', async () => {
    const apiKeys = stores()
    expect(await announce('mongodb', apiKeys, open())).toEqual(['animal-store keys create'])
    expect(await succeed(apiKeys.list)).toEqual([])
  })

  it('reports nothing for a database with keys', async () => {
    const apiKeys = stores()
    await announce('embedded', apiKeys)
    expect(await announce('mongodb', apiKeys, open())).toEqual([])
  })

  it('retries while a database is unavailable', async () => {
    useFakeTimers({ toFake: ['setTimeout'] })
    let asked = 0
    const apiKeys = stores()
    const list: ApiKeyStore['list'] = async () => {
      asked += 1
      if (asked === 3) return E.right([])
      return E.left(unavailable(new Error('away')))
    }
    const told = announce('mongodb', { ...apiKeys, list }, open())
    expect(await told).toEqual(['animal-store keys create'])
    expect(asked).toBe(3)
  })

  it('stops retrying when the service stops', async () => {
    const list: TE.TaskEither<Unavailable, never> = TE.left(unavailable(new Error('away')))
    expect(await announce('mongodb', { ...stores(), list })).toEqual([])
    const stop = new AbortController()
    const told = announce('mongodb', { ...stores(), list }, stop.signal)
    stop.abort()
    expect(await told).toEqual([])
  })

  it('reports why a first key could not be created', async () => {
    const cause = new Error('full')
    const addFirst = () => TE.left(unavailable(cause))
    expect(await announce('embedded', { ...stores(), addFirst })).toEqual([cause])
  })
})
