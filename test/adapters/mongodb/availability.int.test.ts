// One notice per change of availability; and options in the URI that would change how the driver reads or writes.
import { beforeAll, expect, it } from 'vitest'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema.js'
import { openMongoStore } from '../../../src/adapters/mongodb/store.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { Notice } from '../../../src/ports/notice.js'
import { anyApiKey, everything, fail, held, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf, openStoreWithDeadlines } from '../../support/mongodb/mongo-store.js'
import { behindProxy } from '../../support/mongodb/proxied-store.js'
import { testDatabase, withOptions } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'
import { boundMs } from '../../support/runner/night.js'

describeWith('mongodb', 'a MongoDB that becomes unavailable and returns', (address) => {
  const { uri: direct } = testDatabase(address)
  beforeAll(async () => {
    await succeed(ensureIndexes(direct))
  })

  it('causes one notice for each change, however many attempts are in between', async () => {
    const { proxy, uri, server } = await behindProxy(direct)
    proxy.cut()
    const notices: Notice[] = []
    const { ping, pets, archive } = openStoreWithDeadlines(uri, (notice) => notices.push(notice))
    const told = (count: number) => eventually(() => expect(notices).toHaveLength(count))
    await told(1)
    // each on its own connection
    const tasks = [ping, pets.count(ALL_PETS), archive.read(0n)]
    await Promise.all(tasks.map((task) => fail<unknown>(task)))
    proxy.heal()
    await told(2)
    await Promise.all(tasks.map((task) => eventually(() => succeed<unknown>(task))))
    proxy.cut()
    await Promise.all([fail(ping), told(3)])
    await fail(ping)
    proxy.heal()
    await told(4)
    await eventually(() => succeed(ping))
    const there: Notice = { level: 'info', message: 'connected to the database', details: { server } }
    const lost = { level: 'error', message: 'lost the database', details: { server, reason: expect.any(String) } }
    expect(notices).toStrictEqual([
      expect.objectContaining({ message: 'cannot open the database' }),
      there,
      lost,
      there,
    ])
  })

  it('does not delay a close for long while it is frozen', async () => {
    const { proxy, uri } = await behindProxy(direct)
    const { ping, close } = openStoreWithDeadlines(uri)
    await eventually(() => succeed(ping))
    proxy.freeze()
    const waiting = ping()
    const begin = performance.now()
    await close()
    expect(performance.now() - begin).toBeLessThan(boundMs(2_500))
    await waiting
  })
})

describeWith('mongodb', 'a MongoDB whose URI has options of the driver', (address) => {
  const { uri, database } = testDatabase(address)

  it.each(['promoteValues=false', 'useBigInt64=true'])('stores and serves as ever with %s', async (option) => {
    await database.dropDatabase()
    const store = openStoreOf(withOptions(uri, option))
    const id = await succeed(store.ids.next)
    await succeed(store.pets.add(record(numbered(Number(id)), held('a', 'k'))))
    expect(await succeed(store.pets.findPage(everything))).toMatchObject({ pets: [numbered(1)] })
    expect(await succeed(store.pets.count(ALL_PETS))).toBe(1)
    expect((await succeed(store.log.read({ after: 0, limit: 9 }))).events).toMatchObject([{ pet: numbered(1) }])
    await succeed(store.apiKeys.add(anyApiKey))
    expect(await succeed(store.apiKeys.list)).toStrictEqual([anyApiKey])
    expect(store.damages).toStrictEqual([])
  })

  it('is fatal with an option whose package is not installed: nothing can make it work', async () => {
    const url = new URL(withOptions(uri, 'authMechanism=GSSAPI&authSource=$external'))
    url.username = 'user'
    const notice = await new Promise<Notice>((resolve) => openStoreOf(url.href, { notify: resolve }))
    expect(notice).toMatchObject({
      level: 'fatal',
      message: 'MONGODB_URI has an option that needs a package which is not installed',
      details: { reason: expect.stringMatching(/kerberos/) },
    })
  })

  it('refuses a malformed URI', async () => {
    const open = openMongoStore({ uri: 'mongodb://', reportDamage: () => {}, notify: () => {} })
    expect(await fail(open)).toMatchObject({ _tag: 'Unavailable', cause: expect.any(Error) })
  })
})
