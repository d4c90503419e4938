// The least-privilege role in docs/mongodb.md, on a server with access control.
import { randomUUID } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { MongoClient } from 'mongodb'
import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema.js'
import { replayEvents, retryParked } from '../../../src/domain/events/backlog.js'
import { asError, memberOf } from '../../../src/domain/thrown.js'
import { petRecord, readAll, restoreInto } from '../../../src/testing/contracts/archive-samples.js'
import { everything, fail, fullApiKey, numbered, record, succeed } from '../../../src/testing/samples.js'
import { mongodbContainer } from '../../support/containers/containers.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { fillStore } from '../../support/stores/rich-store.js'

const DATABASE = 'pets'
const PASSWORD = 'test'

const uriOf = (container: StartedTestContainer, user = ''): string =>
  `mongodb://${user}${container.getHost()}:${container.getMappedPort(27_017)}/${DATABASE}?directConnection=true&authSource=admin`

interface Privilege {
  readonly resource: { readonly db: string; readonly collection: string }
  readonly actions: readonly string[]
}

/** An empty name means every collection of the database. */
const may = (collection: string, ...actions: readonly string[]): Privilege => ({
  resource: { db: DATABASE, collection },
  actions,
})

/** Creates the users before enabling access control: later, only a client in the container could create the first. */
const launchGuarded = async (roles: readonly string[], own: Readonly<Record<string, readonly Privilege[]>>) => {
  const volume = `animal-store-test-${randomUUID()}`
  const mounted = () => mongodbContainer().withBindMounts([{ source: volume, target: '/data/db' }])
  const open = await mounted().start()
  const client = new MongoClient(uriOf(open))
  for (const [createRole, privileges] of Object.entries(own))
    await client.db(DATABASE).command({ createRole, privileges, roles: [] })
  for (const role of [...roles, ...Object.keys(own)]) {
    const user = { createUser: role, pwd: PASSWORD, roles: [{ role, db: DATABASE }] }
    await client.db('admin').command(user)
  }
  await client.close()
  await open.stop({ timeout: 10_000 })
  const guarded = await mounted().withCommand(['--auth']).start()
  return {
    uriFor: (role: string) => uriOf(guarded, `${role}:${PASSWORD}@`),
    remove: async (): Promise<void> => {
      await guarded.stop()
      const { container } = await getContainerRuntimeClient()
      await container.dockerode.getVolume(volume).remove()
    },
  }
}

describeWith('mongodb-container', 'a user of MongoDB', () => {
  let server: Awaited<ReturnType<typeof launchGuarded>>
  beforeAll(async () => {
    const half = [may('', 'find', 'createIndex'), may('counters', 'insert', 'update'), may('relay', 'insert', 'update')]
    server = await launchGuarded(['readWrite'], { half })
    return server.remove
  }, 60_000)

  it('may do everything that a service and its commands do with the role readWrite [cmd-indexes]', async () => {
    const store = openStoreOf(server.uriFor('readWrite'))
    await fillStore(store, 12)
    const { pets, ids, apiKeys, log, archive } = store
    const { pets: page } = await succeed(pets.findPage(everything))
    expect(page).toHaveLength(12)
    expect(await succeed(pets.count(everything))).toBe(12)
    const key = { lineage: 'aaaaaaaaaaa', key: 'key 1' }
    expect(await succeed(pets.findByIdempotencyKey(key, Date.now()))).toMatchObject(O.some({ id: 1n }))
    expect(await succeed(apiKeys.change('aaaaaaaaaaa', { lastUsedAt: O.some(7) }))).toMatchObject({ _tag: 'Some' })
    expect(await succeed(apiKeys.list)).toHaveLength(2)
    expect((await succeed(log.read({ after: 0, limit: 100 }))).events).toHaveLength(12)
    expect(await succeed(retryParked(store))).toBe(3)
    expect(await succeed(replayEvents(store)(0))).toBe(12)
    const client = new MongoClient(server.uriFor('readWrite'))
    onTestFinished(() => client.close())
    // a lost counter resumes above the highest id
    await client.db().collection('counters').deleteMany({})
    expect(await succeed(ids.next)).toBe(13n)
    expect((await readAll(archive)).records).toHaveLength(12)
    expect(await restoreInto(archive, petRecord(20))).toStrictEqual(['added'])
    await succeed(archive.end(30n))
    expect(await succeed(ids.next)).toBe(31n)
    expect(await ensureIndexes(server.uriFor('readWrite'))()).toStrictEqual(E.right(undefined))
    expect(store.damages).toStrictEqual([])
  })

  it('who may not add one learns nothing from the log of what clients have sent', async () => {
    const { pets, apiKeys, archive } = openStoreOf(server.uriFor('half'))
    const calls = [pets.add(record(numbered(100))), apiKeys.add(fullApiKey), archive.restore(petRecord(100))]
    for (const call of calls) {
      const cause = memberOf(await fail<unknown>(call), 'cause')
      expect(asError(cause).stack).toMatch(/^MongoServerError: not authorized on pets to execute command\n/)
    }
  })
})
