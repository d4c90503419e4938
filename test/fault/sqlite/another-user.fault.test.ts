// Files that root creates in another user's folder belong to that user. A user without access gets a clear error.
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { connect } from '../../../src/adapters/sqlite/file/connection.js'
import { describeWith } from '../../support/containers/describe-with.js'
import { client } from '../../support/http/client.js'
import { issueKey, runCommand, startServiceProcess } from '../../support/processes/service-process.js'
import { temporaryFolder, temporaryPath } from '../../support/runner/temporary-folder.js'

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

  const expectOwned = async (folder: string): Promise<readonly string[]> => {
    const names = await readdir(folder, { recursive: true })
    for (const name of names) {
      const { uid, gid, mode } = await stat(join(folder, name))
      expect([name, uid, gid, mode & 0o077]).toStrictEqual([name, OWNER, OWNER, 0])
    }
    return names
  }

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

// Only root can start a process as another user, and root itself may write everywhere
describeWith('tmpfs', 'a folder that the user of the service may only read', () => {
  it.each(['serve', 'seed 1'])('is refused with its owner and mode, and left as it is: %s', async (words) => {
    const folder = await temporaryPath()
    await mkdir(folder)
    await chown(dirname(folder), OWNER, OWNER)
    await chmod(folder, 0o555)
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...words.split(' ')], {
      env: { DATA_DIR: folder, PORT: '0' },
      encoding: 'utf8',
      uid: OWNER,
      gid: OWNER,
    })
    expect(status).toBe(1)
    expect(stdout + stderr).toContain(
      `EACCES: user ${OWNER} of group ${OWNER} has no access to ${folder}, which belongs to user 0 and group 0 with mode 0555`,
    )
    expect(await readdir(folder)).toStrictEqual([])
  })
})

describeWith('tmpfs', 'a backup that its reader may not read', () => {
  let home: string
  let backup: string
  beforeEach(async () => {
    home = await temporaryFolder()
    await chmod(home, 0o711)
    const settings = { DATA_DIR: join(home, 'data') }
    backup = join(home, 'backup.db')
    await runCommand(settings, 'seed', '1')
    await runCommand(settings, 'backup', backup)
  })

  const asOwner = (...words: readonly string[]) => {
    const env = { DATA_DIR: join(home, 'theirs') }
    const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...words], {
      env,
      encoding: 'utf8',
      uid: OWNER,
      gid: OWNER,
    })
    return { status, stdout, stderr }
  }

  it('is not called damaged: verify and restore name who may not read what', async () => {
    await mkdir(join(home, 'theirs'))
    await chown(join(home, 'theirs'), OWNER, OWNER)
    const reason = `EACCES: user ${OWNER} of group ${OWNER} has no access to ${backup}, which belongs to user 0 and group 0 with mode 0600`
    expect(asOwner('verify', backup, '--json')).toStrictEqual({
      status: 1,
      stdout: '',
      stderr: `${backup} cannot be read: ${reason}\n`,
    })
    const { status, stderr } = asOwner('restore', backup)
    expect([status, stderr]).toStrictEqual([1, expect.stringContaining(`the restore failed: ${reason}\n`)])
  })

  it('is not called damaged if its log cannot be created, as on a read-only mount', async () => {
    const connection = connect(backup, { readOnly: false })
    connection.exec('PRAGMA journal_mode = WAL')
    connection.close()
    await chmod(backup, 0o644)
    const { status, stdout, stderr } = asOwner('verify', backup)
    expect([status, stdout]).toStrictEqual([1, ''])
    expect(stderr).toContain(`SQLite has to create ${backup}-shm for a file in WAL mode`)
  })
})
