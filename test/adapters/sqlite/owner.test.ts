import { isMainThread } from 'node:worker_threads'
import { expect, it, vi } from 'vitest'
import { asOwnerOf } from '../../../src/adapters/sqlite/file/owner.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

it('changes nothing of the process in a folder of its own user', async () => {
  const folder = await temporaryFolder()
  const changes = (['seteuid', 'setegid', 'setgroups'] as const).map((name) => vi.spyOn(process, name))
  expect(asOwnerOf(folder, () => isMainThread)).toBe(isMainThread)
  for (const change of changes) {
    expect(change).not.toHaveBeenCalled()
    change.mockRestore()
  }
})
