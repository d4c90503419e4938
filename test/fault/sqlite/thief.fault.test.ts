// Root runs commands in the folders of an unprivileged user, who swaps every file of theirs for a link to a file of root.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { BUILT, startCli } from '../../support/processes/cli-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

const OWNER = 12_345
const SECRET = 'a secret of root'

/** Replaces what appears in the folders by links to the secret, as often as it can; puts links in the place of what may appear. */
const THIEF = `
const { readdirSync, renameSync, symlinkSync, rmSync } = require('node:fs')
const [secret, data, backups] = process.argv.slice(1)
const attempt = (work) => { try { work() } catch {} }
console.log('ready')
for (let round = 0; ; round += 1)
  for (const folder of [data, backups]) {
    for (const name of folder === data ? ['animal-store.db-wal', 'animal-store.db-shm', 'last-backup'] : [])
      if (round % 3 === 0) attempt(() => symlinkSync(secret, folder + '/' + name))
    attempt(() => {
      for (const name of readdirSync(folder)) {
        if (!/unfinished|last-backup|-wal|-shm|replaced/.test(name)) continue
        attempt(() => renameSync(folder + '/' + name, folder + '/.stolen-' + round))
        attempt(() => symlinkSync(secret, folder + '/' + name))
        if (round % 2 === 0) attempt(() => rmSync(folder + '/' + name))
      }
    })
  }`

describeWith('tmpfs', 'root, in the folders of a thief', () => {
  let home: string
  let secret: string
  let data: string
  let backups: string
  beforeEach(async () => {
    home = await temporaryFolder()
    // the thief has to reach its folders
    await chmod(home, 0o711)
    ;[secret, data, backups] = [join(home, 'secret'), join(home, 'data'), join(home, 'backups')]
    await writeFile(secret, SECRET, { mode: 0o600 })
    for (const folder of [data, backups]) {
      await mkdir(folder, { mode: 0o700 })
      await chown(folder, OWNER, OWNER)
    }
  })

  const command = async (...words: readonly string[]) => {
    const run = startCli(BUILT, { DATA_DIR: data }, ...words)
    return { code: await run.exit, stdout: run.stdout(), stderr: run.stderr() }
  }

  const startThief = async (): Promise<ChildProcess> => {
    const thief = spawn(process.execPath, ['-e', THIEF, secret, data, backups], { uid: OWNER, gid: OWNER })
    onTestFinished(async () => {
      thief.kill('SIGKILL')
      if (thief.exitCode === null && thief.signalCode === null) await once(thief, 'exit')
    })
    await once(thief.stdout, 'data')
    return thief
  }

  const expectSecret = async (): Promise<void> => {
    const { uid, mode } = await lstat(secret)
    expect([uid, mode & 0o777, await readFile(secret, 'utf8')]).toStrictEqual([0, 0o600, SECRET])
  }

  it.each<readonly [string, (round: number) => readonly string[]]>([
    ['backup', (round) => ['backup', join(backups, `${round}.db`)]],
    ['export', (round) => ['export', join(backups, `${round}.jsonl`)]],
    ['restore', () => ['restore', join(home, 'good.db')]],
    ['keys create', () => ['keys', 'create']],
  ])('gives none of its files away: %s', async (_, words) => {
    expect(await command('seed', '2000')).toMatchObject({ code: 0 })
    expect(await command('backup', join(home, 'good.db'))).toMatchObject({ code: 0 })
    const thief = await startThief()
    for (let round = 0; round < 4; round += 1) {
      const line = words(round)
      const { code } = await command(...line)
      await expectSecret()
      const file = line[0] === 'backup' || line[0] === 'export' ? line[1] : undefined
      // a success is a file of the owner's, not a link
      if (code === 0 && file !== undefined) {
        const found = await lstat(file)
        expect([found.isFile(), found.uid, found.mode & 0o777]).toStrictEqual([true, OWNER, 0o600])
        await rm(file)
      }
    }
    thief.kill('SIGKILL')
    await expectSecret()
  })
})
