import { spawn } from 'node:child_process'
import { once } from 'node:events'
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
      const child = spawn(process.execPath, ['dist/cli.js', ...words.split(' ')], {
        env: { DATA_DIR: folder, PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
        uid: USER,
        gid: USER,
      })
      let printed = ''
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          printed += text
        })
      const [code] = (await once(child, 'close')) as [number | null]
      expect(code).toBe(1)
      expect(printed).toContain(
        `EACCES: user ${USER} of group ${USER} has no access to ${folder}, which belongs to user 0 and group 0 with mode 0555`,
      )
      expect(await readdir(folder)).toStrictEqual([])
    },
  )
})
