// The unit and its drop-in under systemd's own checks, which need no running systemd.
import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

const run = promisify(execFile)
const FOLDER = 'deploy/systemd'

describeWith('systemd-analyze', 'the systemd unit', (analyze) => {
  /** The path of the unit, next to its drop-in. */
  const installed = async (): Promise<string> => {
    const path = join(await temporaryFolder(), 'animal-store.service')
    const text = await readFile(`${FOLDER}/animal-store.service`, 'utf8')
    // the command is not installed here
    await writeFile(path, text.replace('ExecStart=animal-store', `ExecStart=${process.execPath}`))
    await cp(`${FOLDER}/mongodb.conf`, join(`${path}.d`, 'mongodb.conf'))
    return path
  }

  it('is valid to the last key', async () => {
    expect(await run(analyze, ['verify', await installed()])).toEqual({ stdout: '', stderr: '' })
  })

  it('has a valid timer for backups', async () => {
    const folder = await temporaryFolder()
    const [service, timer] = ['service', 'timer'].map((kind) => `animal-store-backup.${kind}`) as [string, string]
    await cp(`${FOLDER}/${timer}`, join(folder, timer))
    const text = await readFile(`${FOLDER}/${service}`, 'utf8')
    await writeFile(join(folder, service), text.replace(/ExecStart=\S+/, `ExecStart=${process.execPath}`))
    expect(await run(analyze, ['verify', join(folder, timer), join(folder, service)])).toEqual({
      stdout: '',
      stderr: '',
    })
  })

  it('is exposed to at most 1.5 of 10', async () => {
    // exits with 1 above the threshold, which is in tenths
    const rating = run(analyze, ['security', '--offline=true', '--threshold=15', await installed()])
    await expect(rating).resolves.toBeDefined()
  })
})
