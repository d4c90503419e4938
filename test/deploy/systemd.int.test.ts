// The unit and its drop-in under systemd's own checks, which need no running systemd.
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'
import { dropInText, unitText } from './unit-file.js'

const run = promisify(execFile)

describeWith('systemd-analyze', 'the systemd unit', (analyze) => {
  /** The path of a unit, with the drop-in beside it. */
  const installed = async (text: string): Promise<string> => {
    const path = join(await temporaryFolder(), 'animal-store.service')
    // the command is not installed here
    await writeFile(path, text.replace('ExecStart=animal-store', `ExecStart=${process.execPath}`))
    await mkdir(`${path}.d`)
    await writeFile(join(`${path}.d`, 'mongodb.conf'), dropInText)
    return path
  }

  it('is valid to the last key', async () => {
    expect(await run(analyze, ['verify', await installed(unitText)])).toEqual({ stdout: '', stderr: '' })
  })

  it('has a valid timer for backups', async () => {
    const folder = await temporaryFolder()
    const [service, timer] = ['service', 'timer'].map((kind) => `animal-store-backup.${kind}`) as [string, string]
    await cp(`deploy/systemd/${timer}`, join(folder, timer))
    const text = await readFile(`deploy/systemd/${service}`, 'utf8')
    await writeFile(join(folder, service), text.replace(/ExecStart=\S+/, `ExecStart=${process.execPath}`))
    expect(await run(analyze, ['verify', join(folder, timer), join(folder, service)])).toEqual({
      stdout: '',
      stderr: '',
    })
  })

  it('is exposed to at most 1.5 of 10', async () => {
    // exits with 1 above the threshold, in tenths
    const rating = run(analyze, ['security', '--offline=true', '--threshold=15', await installed(unitText)])
    await expect(rating).resolves.toBeDefined()
  })
})
