// Notices about the availability of the database, one per change; and options of its URI that would change how the driver reads or writes.
import { beforeAll, expect, it } from 'vitest'
import { ensureIndexes } from '../../../src/adapters/mongodb/schema.js'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { Notice } from '../../../src/ports/notice.js'
import { anyApiKey, everything, fail, held, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf, openStoreWithDeadlines } from '../../support/mongodb/mongo-store.js'
import { behindProxy } from '../../support/mongodb/proxied-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { eventually } from '../../support/runner/eventually.js'
import { boundMs } from '../../support/runner/night.js'

describeWith('mongodb', 'a MongoDB that becomes unavailable and returns', (address) => {
  const { uri: direct } = testDatabase(address)
  beforeAll(async () => {
    await succeed(ensureIndexes(direct))
  })

  const told = (notices: readonly Notice[], count: number) => eventually(() => expect(notices).toHaveLength(count))

  it('causes one notice for each loss and each return', async () => {
    const { proxy, uri, server } = await behindProxy(direct)
    const notices: Notice[] = []
    const { ping } = openStoreWithDeadlines(uri, (notice) => notices.push(notice))
    await eventually(() => succeed(ping))
    proxy.cut()
    await Promise.all([fail(ping), told(notices, 2)])
    await fail(ping)
    proxy.heal()
    await told(notices, 3)
    await eventually(() => succeed(ping))
    const there: Notice = { level: 'info', message: 'connected to the database', details: { server } }
    const lost = { level: 'error', message: 'lost the database', details: { server, reason: expect.any(String) } }
    expect(notices).toStrictEqual([there, lost, there])
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

  it('causes one notice while it cannot be opened, and one when it is available', async () => {
    const { proxy, uri } = await behindProxy(direct)
    proxy.cut()
    const notices: Notice[] = []
    const { ping, pets, archive } = openStoreWithDeadlines(uri, (notice) => notices.push(notice))
    await told(notices, 1)
    // each on a connection of its own
    const tasks = [ping, pets.count(ALL_PETS), archive.size]
    await Promise.all(tasks.map((task) => fail<unknown>(task)))
    proxy.heal()
    await told(notices, 2)
    await Promise.all(tasks.map((task) => eventually(() => succeed<unknown>(task))))
    expect(notices.map(({ message }) => message)).toStrictEqual([
      'cannot open the database',
      'connected to the database',
    ])
  })
})

describeWith('mongodb', 'a MongoDB whose URI has options of the driver', (address) => {
  const { uri, database } = testDatabase(address)
  const withOption = (option: string): string => `${uri}${uri.includes('?') ? '&' : '?'}${option}`

  it.each(['promoteValues=false', 'useBigInt64=true'])('stores and serves as ever with %s', async (option) => {
    await database.dropDatabase()
    const store = openStoreOf(withOption(option))
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
    const notice = await new Promise<Notice>((resolve) =>
      openStoreOf(withOption('compressors=snappy'), { notify: resolve }),
    )
    expect(notice).toMatchObject({
      level: 'fatal',
      message: 'MONGODB_URI has an option that needs a package which is not installed',
      details: { reason: expect.stringMatching(/snappy/) },
    })
  })
})
