import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { SUITE_FILES } from '../support/stores/suite-files.js'

it.each(Object.entries(SUITE_FILES))('the store %s passes every contract suite', async (store, file) => {
  expect(await readFile(file, 'utf8')).toContain(`storeSuites('${store}', {`)
})
