// Options of the URI that would change how the driver reads or writes documents.
import { expect, it } from 'vitest'
import { ALL_PETS } from '../../../src/domain/pets/pet-query.js'
import type { Notice } from '../../../src/ports/notice.js'
import { anyApiKey, everything, held, numbered, record, succeed } from '../../../src/testing/samples.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'

describeWith('mongodb', 'a MongoDB whose URI has options of the driver', (address) => {
  const { uri, database } = testDatabase(address)

  it.each(['promoteValues=false', 'promoteLongs=false', 'useBigInt64=true', 'ignoreUndefined=true'])(
    'stores and serves as ever with %s',
    async (option) => {
      await database.dropDatabase()
      const url = new URL(uri)
      url.search += `${url.search === '' ? '' : '&'}${option}`
      const store = openStoreOf(url.href)
      const id = await succeed(store.ids.next)
      await succeed(store.pets.add(record(numbered(Number(id)), held('a', 'k'))))
      expect(await succeed(store.pets.findPage(everything))).toMatchObject({ pets: [numbered(1)] })
      expect(await succeed(store.pets.count(ALL_PETS))).toBe(1)
      expect((await succeed(store.log.read({ after: 0, limit: 9 }))).events).toMatchObject([{ pet: numbered(1) }])
      await succeed(store.apiKeys.add(anyApiKey))
      expect(await succeed(store.apiKeys.list)).toStrictEqual([anyApiKey])
      expect(store.damages).toStrictEqual([])
    },
  )

  it('is fatal with an option whose package is not installed: nothing can make it work', async () => {
    const url = new URL(uri)
    url.search += `${url.search === '' ? '' : '&'}compressors=snappy`
    const notice = await new Promise<Notice>((resolve) => openStoreOf(url.href, { notify: resolve }))
    expect(notice).toMatchObject({
      level: 'fatal',
      message: 'MONGODB_URI has an option that needs a package which is not installed',
      details: { reason: expect.stringMatching(/snappy/) },
    })
  })
})
