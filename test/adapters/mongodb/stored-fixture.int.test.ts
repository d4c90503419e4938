import { readFile } from 'node:fs/promises'
import { BSON, type Document } from 'mongodb'
import { describeWith } from '../../support/containers/describe-with.js'
import { openStoreOf } from '../../support/mongodb/mongo-store.js'
import { testDatabase } from '../../support/mongodb/test-database.js'
import { storedFixtureSuite } from '../../support/stores/stored-fixture.js'
import { tracedFixtureSuite } from '../../support/stores/traced-fixture.js'

describeWith('mongodb', 'documents of an earlier version', (address) => {
  const { uri, database } = testDatabase(address)

  const openCopyOf = async (name: string) => {
    // no collections yet: validators and indexes must also fit documents that were stored without them
    await database.dropDatabase()
    const text = await readFile(`test/fixtures/stored/${name}.ejson`, 'utf8')
    const collections = BSON.EJSON.parse(text, { relaxed: false }) as Readonly<Record<string, Document[]>>
    for (const [collection, documents] of Object.entries(collections))
      await database.collection(collection).insertMany(documents)
    return openStoreOf(uri, {
      reportDamage: ({ record, id, reason }) => {
        throw new Error(`${record} ${id} is damaged: ${reason}`)
      },
    })
  }

  storedFixtureSuite('MongoDB documents', () => openCopyOf('mongodb'), false)
  tracedFixtureSuite('MongoDB documents', () => openCopyOf('mongodb-traced'))
})
