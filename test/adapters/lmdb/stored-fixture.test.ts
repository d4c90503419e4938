import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { storedFixtureSuite } from '../../support/stores/stored-fixture.js'
import { makeFolder } from './folder.js'
import { openStoreIn } from './open-store.js'

storedFixtureSuite('a data folder', async () => {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const directory = folder.path
  await mkdir(directory)
  const compressed = await readFile('test/fixtures/stored/embedded.data.mdb.gz')
  await writeFile(join(directory, 'data.mdb'), gunzipSync(compressed))
  await writeFile(join(directory, 'format'), 'animal-store 1\n')
  const store = await openStoreIn(directory, {
    isRelayed: true,
    reportDamage: ({ record, id, reason }) => {
      throw new Error(`${record} ${id} is damaged: ${reason}`)
    },
  })
  onTestFinished(store.close)
  return store
})
