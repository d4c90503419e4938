// What root creates in the folder of another user belongs to that user, whose service must be able to open it.
import { chown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { client } from '../../support/http/client.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const OWNER = 12_345

describeWith('tmpfs', 'root, on the embedded store of another user', () => {
  let home: string
  let settings: { readonly DATA_DIR: string }
  beforeEach(async () => {
    home = await temporaryFolder()
    settings = { DATA_DIR: join(home, 'data') }
    await mkdir(settings.DATA_DIR, { mode: 0o700 })
    await chown(settings.DATA_DIR, OWNER, OWNER)
    await mkdir(join(home, 'backups'))
    await chown(join(home, 'backups'), OWNER, OWNER)
  })

  /** Of every file and folder below. */
  const expectOwned = async (folder: string): Promise<readonly string[]> => {
    const names = await readdir(folder, { recursive: true })
    for (const name of names) {
      const { uid, gid, mode } = await stat(join(folder, name))
      expect([name, uid, gid, mode & 0o077]).toStrictEqual([name, OWNER, OWNER, 0])
    }
    return names
  }

  it.each([
    ['keys create', 'keys', 'create'],
    ['seed', 'seed', '3'],
  ])('makes a new store that belongs to its owner: %s', async (_, ...words) => {
    await runCommand(settings, ...words)
    expect(await expectOwned(settings.DATA_DIR)).toContain('animal-store.db')
  })

  it('leaves all files to their owner: beside a service, backing up, exporting, and restoring', async () => {
    const key = await issueKey(settings)
    const service = await startServiceProcess(settings)
    await runCommand(settings, 'keys', 'create')
    const created = await client(service.url, key)('POST', '/v1/pets', { body: '{"name":"Rex","categoryId":1}' })
    expect(created).toMatchObject({ status: 201 })
    expect(await expectOwned(settings.DATA_DIR)).toContain('animal-store.db-wal')
    await runCommand(settings, 'backup', join(home, 'backups', 'one.db'))
    await runCommand(settings, 'export', join(home, 'backups', 'one.jsonl'))
    expect(await expectOwned(join(home, 'backups'))).toStrictEqual(['one.db', 'one.jsonl'])
    expect(await service.end('SIGTERM')).toBe(0)
    await runCommand(settings, 'restore', join(home, 'backups', 'one.db'))
    const names = await expectOwned(settings.DATA_DIR)
    expect(names.filter((name) => name.endsWith('animal-store.db'))).toHaveLength(2)
    expect(names).toContain('last-backup')
  })
})
