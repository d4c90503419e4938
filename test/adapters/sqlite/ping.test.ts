import { copyFile, rename } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { DATABASE } from '../../../src/adapters/sqlite/file/folder.js'
import { fail, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

it('a ping fails, and goes on failing, once another file has the name of the database', async () => {
  const folder = await temporaryPath()
  const { ping } = await openStoreIn(folder)
  await succeed(ping)
  await copyFile(`${folder}/${DATABASE}`, `${folder}/.copy`)
  await rename(`${folder}/.copy`, `${folder}/${DATABASE}`)
  for (const _ of ['first', 'second']) expect(String((await fail(ping)).cause)).toMatch(/is another file$/)
})
