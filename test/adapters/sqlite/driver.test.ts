import { expect, it } from 'vitest'
import { loadDriver } from '../../../src/adapters/sqlite/file/driver.js'

it('the embedded store uses the SQLite of Node from version 24 on, and that of the package before', () => {
  const isNew = Number.parseInt(process.versions.node, 10) >= 24
  const ofNode = process.getBuiltinModule('node:sqlite') as unknown
  expect(loadDriver() === ofNode).toBe(isNew)
})
