import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'
import { storedFixtureSuite } from '../../support/stores/stored-fixture.js'
import { tracedFixtureSuite } from '../../support/stores/traced-fixture.js'
import { makeFolder } from './folder.js'
import { openStoreIn } from './open-store.js'

const openCopyOf = async (name: string) => {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const directory = folder.path
  await mkdir(directory)
  const compressed = await readFile(`test/fixtures/stored/${name}.data.mdb.gz`)
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
}

storedFixtureSuite('a data folder', () => openCopyOf('embedded'))
tracedFixtureSuite('a data folder', () => openCopyOf('embedded-traced'))
