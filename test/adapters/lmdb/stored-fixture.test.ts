import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'
import { storedFixtureSuite } from '../../support/stores/stored-fixture.js'
import { tracedFixtureSuite } from '../../support/stores/traced-fixture.js'
import { openStoreIn } from './open-store.js'

const openCopyOf = async (name: string) => {
  const directory = await temporaryFolder()
  const compressed = await readFile(`test/fixtures/stored/${name}.data.mdb.gz`)
  await writeFile(join(directory, 'data.mdb'), gunzipSync(compressed))
  await writeFile(join(directory, 'format'), 'animal-store 1\n')
  return openStoreIn(directory, {
    reportDamage: ({ record, id, reason }) => {
      throw new Error(`${record} ${id} is damaged: ${reason}`)
    },
  })
}

// the version that wrote it kept no mark of a sent event
storedFixtureSuite('a data folder', () => openCopyOf('embedded'), false)
tracedFixtureSuite('a data folder', () => openCopyOf('embedded-traced'))
