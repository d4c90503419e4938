import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const USER = 12_345

// only root can start a process of another user, and root itself may write everywhere
describeWith('tmpfs', 'a folder that the user of the service may only read', () => {
  it.each(['serve', 'seed 1', 'keys create'])(
    'is refused with its owner and mode, and left as it is: %s',
    async (words) => {
      const folder = await temporaryPath()
      await mkdir(folder)
      await chown(dirname(folder), USER, USER)
      await chmod(folder, 0o555)
      const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...words.split(' ')], {
        env: { DATA_DIR: folder, PORT: '0' },
        encoding: 'utf8',
        uid: USER,
        gid: USER,
      })
      expect(status).toBe(1)
      expect(stdout + stderr).toContain(
        `EACCES: user ${USER} of group ${USER} has no access to ${folder}, which belongs to user 0 and group 0 with mode 0555`,
      )
      expect(await readdir(folder)).toStrictEqual([])
    },
  )
})
