import { setImmediate as nextTurn } from 'node:timers/promises'
import * as O from 'fp-ts/lib/Option.js'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../../src/adapters/sqlite/file/connection.js'
import { DATABASE } from '../../../src/adapters/sqlite/file/folder.js'
import { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { anyApiKey, apiKeyOf, succeed } from '../../../src/testing/samples.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'
import { openStoreIn } from './open-store.js'

it('a prune keeps a key that another process has changed since it was found to have ended', async () => {
  const folder = await temporaryPath()
  const { apiKeys } = await openStoreIn(folder)
  const expiresAt = O.some(6_000)
  for (const key of [{ ...anyApiKey, expiresAt }, apiKeyOf('b', { expiresAt })]) await succeed(apiKeys.add(key))
  const other = connect(`${folder}/${DATABASE}`, { readOnly: false })
  onTestFinished(() => other.close())
  other.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
  const removing = succeed(apiKeys.removeEnded(7_000))
  // it has read both keys, and its write waits for the other process
  await nextTurn()
  other.run('UPDATE api_keys SET record = ? WHERE id = ?', JSON.stringify(ApiKey.encode(anyApiKey)), anyApiKey.id)
  other.exec('COMMIT')
  expect(await removing).toBe(1)
  expect(await succeed(apiKeys.list)).toStrictEqual([anyApiKey])
})
