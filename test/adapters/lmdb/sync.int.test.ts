import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const WRITER = fileURLToPath(new URL('../../fault/lmdb/writer.ts', import.meta.url))
const PETS = 5
const CALLS = 'openat,write,writev,pwrite64,fsync,fdatasync'

/** The relevant steps of the trace, in order of completion: writes to the data file, syncs, answers. */
const stepsOf = (trace: string): readonly string[] => {
  // LMDB writes the header, which makes a commit valid, through a descriptor that syncs each write
  const synced = /openat\(.*data\.mdb", O_WRONLY\|O_DSYNC.* = (\d+)/.exec(trace)?.[1] ?? 'none'
  const stepOf = (line: string): string | undefined => {
    if (new RegExp(`pwrite64\\(${synced}<.*data\\.mdb>`).test(line)) return 'head, synced'
    if (/(?:pwrite64|writev)\(\d+<.*data\.mdb>/.test(line)) return 'data'
    if (/f(?:data)?sync\(\d+<.*data\.mdb>/.test(line)) return 'sync'
    return /write\(1<.*"\d+ traced-\d+ /.test(line) ? 'answer' : undefined
  }
  // by thread: a call that another thread interrupts is traced in two lines
  const begun = new Map<string, string | undefined>()
  return trace.split('\n').flatMap((line) => {
    const [thread = ''] = line.split(' ')
    const step = line.includes(' resumed>') ? begun.get(thread) : stepOf(line)
    begun.set(thread, step)
    return step === undefined || line.endsWith('<unfinished ...>') ? [] : [step]
  })
}

describeWith('strace', 'system calls of a create in the embedded store', (strace) => {
  let folder: string
  beforeEach(async () => {
    folder = await temporaryPath()
  })

  const trace = async (callers: number, pets: number): Promise<readonly string[]> => {
    const output = `${folder}.trace`
    const writer = [process.execPath, '--import', 'tsx', WRITER, folder, String(callers), String(pets), 'traced']
    await promisify(execFile)(strace, ['-f', '-y', '-e', `trace=${CALLS}`, '-o', output, ...writer])
    return stepsOf(await readFile(output, 'utf8'))
  }

  it('sync the data and then the header in one commit before the answer', async () => {
    const steps = (await trace(1, PETS)).join(' > ').replaceAll(/(?:data > )+/g, 'data > ')
    const one = 'data > sync > head, synced > answer'
    expect(steps.endsWith(Array.from({ length: PETS }, () => one).join(' > '))).toBe(true)
  })

  it('sync every file of a backup and its folder before the rename, and the folder above after it', async () => {
    await promisify(execFile)(process.execPath, ['--import', 'tsx', WRITER, folder, '1', '1', 'traced'])
    const [copy, output] = [`${folder}-copy`, `${folder}.trace`]
    const command = [process.execPath, '--import', 'tsx', 'src/cli.ts', 'backup', copy]
    const words = ['-f', '-y', '-e', 'trace=fsync,fdatasync,rename,renameat,renameat2', '-o', output, ...command]
    await promisify(execFile)(strace, words, { env: { ...process.env, STORE: 'embedded', DATA_DIR: folder } })
    const lines = (await readFile(output, 'utf8')).split('\n').filter((line) => !line.includes(' resumed>'))
    const renamed = lines.findIndex((line) => /rename.*unfinished-.*-copy"/.test(line))
    const synced = lines.map((line) => /f(?:data)?sync\(\d+<(.*?)>/.exec(line)?.[1] ?? '')
    const before = synced.slice(0, renamed).filter((path) => path.includes('unfinished-'))
    const last = before.map((path) => path.replace(/^.*unfinished-[^/]*/, ''))
    expect(renamed).toBeGreaterThan(0)
    expect(last).toEqual(expect.arrayContaining(['/data.mdb', '/format', '']))
    expect(last.at(-1)).toBe('')
    expect(synced.slice(renamed)).toContain(dirname(folder))
  })

  it('share a sync between concurrent creates', async () => {
    const steps = await trace(32, 320)
    const first = steps.indexOf('answer')
    expect(steps.filter((step) => step === 'answer')).toHaveLength(320)
    expect(steps.slice(first).filter((step) => step === 'sync').length).toBeLessThan(160)
  })
})
