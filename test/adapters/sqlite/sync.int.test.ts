import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { temporaryPath } from '../../support/runner/temporary-folder.js'

const WRITER = bundleProgram(fileURLToPath(new URL('writer.ts', import.meta.url)))
const PETS = 5
const CALLS = 'openat,write,writev,pwrite64,fsync,fdatasync'
const FILE_CALLS = 'write,writev,fsync,fdatasync,mkdir,link,linkat,rename,renameat,renameat2'

/** The writes to the database log, its syncs and the answers, in order of completion. */
const stepsOf = (trace: string): readonly string[] => {
  const stepOf = (line: string): string | undefined => {
    if (/pwrite64\(\d+<.*-wal>/.test(line)) return 'log'
    if (/f(?:data)?sync\(\d+<.*-wal>/.test(line)) return 'sync'
    return /write\(1<.*"added \d+/.test(line) ? 'answer' : undefined
  }
  // per thread: strace prints an interrupted call in two lines
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

  it('sync the log in one commit before the answer', async () => {
    const output = `${folder}.trace`
    const writer = [process.execPath, WRITER, folder, '1', String(PETS)]
    await promisify(execFile)(strace, ['-f', '-y', '-e', `trace=${CALLS}`, '-o', output, ...writer])
    const steps = stepsOf(await readFile(output, 'utf8'))
      .join(' > ')
      .replaceAll(/(?:log > )+/g, 'log > ')
    const all = Array.from({ length: PETS }, () => 'log > sync > answer').join(' > ')
    expect(steps).toMatch(new RegExp(`${all}(?: > log| > sync)*$`))
  })

  /** The file calls of a command in and around the folder, in order; random suffixes are cut off names. */
  const stepsOfCommand = async (words: readonly string[], ...inject: readonly string[]): Promise<readonly string[]> => {
    const home = dirname(folder)
    const output = join(home, 'trace')
    const options = ['-f', '-y', '-e', `trace=${FILE_CALLS}`, ...inject, '-o', output]
    await promisify(execFile)(strace, [...options, process.execPath, 'dist/cli.js', ...words], {
      env: { ...process.env, STORE: 'embedded', DATA_DIR: folder },
    })
    const lines = (await readFile(output, 'utf8')).split('\n')
    return lines.flatMap((line) => {
      const [, call = ''] = /^\d+ +(\w+)\(/.exec(line) ?? []
      const paths = [...line.matchAll(/[<"](\/[^>"]*)[>"]/g)].map(([, path = '']) => path)
      if (paths.length === 0 || !paths.every((path) => path.startsWith(home))) return []
      const shown = paths.map((path) => path.slice(home.length + 1).replaceAll(/(?<=unfinished-|replaced-)[\w-]+/g, ''))
      return [[call.replace('fdatasync', 'fsync').replace('writev', 'write'), ...shown].join(' ').trim()]
    })
  }

  it('sync what a command has written before it gets its last name, and every new name before the command ends', async () => {
    const inOrder: readonly (readonly [words: readonly string[], steps: readonly string[]])[] = [
      [
        ['keys', 'create'],
        ['mkdir data', 'fsync', 'fsync data', 'fsync data/animal-store.db-wal'],
      ],
      [
        ['backup', join(dirname(folder), 'copy')],
        ['fsync .copy.unfinished-', 'link .copy.unfinished- copy', 'fsync'],
      ],
      [
        ['export', join(dirname(folder), 'export')],
        ['write .export.unfinished-', 'fsync .export.unfinished-', 'link .export.unfinished- export', 'fsync'],
      ],
      [
        ['restore', join(dirname(folder), 'copy')],
        [
          ...['fsync data/.animal-store.db.unfinished-', 'mkdir data/replaced-', 'fsync data/replaced-'],
          ...['rename data/.animal-store.db.unfinished- data/animal-store.db', 'fsync data'],
        ],
      ],
    ]
    for (const [words, wanted] of inOrder) {
      const steps = await stepsOfCommand(words)
      let from = 0
      const found = wanted.filter((step) => {
        const at = steps.indexOf(step, from)
        if (at !== -1) from = at + 1
        return at !== -1
      })
      expect(found, `${words.join(' ')}: ${steps.join(', ')}`).toStrictEqual(wanted)
    }
  })

  it('sync the log of a store that was killed before anything of it is read', async () => {
    const writer = spawn(process.execPath, [WRITER, folder, '1', '0'])
    await once(writer.stdout, 'data')
    writer.kill('SIGKILL')
    await once(writer, 'exit')
    const steps = await stepsOfCommand(['keys', 'list'])
    // the second is of the checkpoint at the close, before the database has its own
    const before = steps.slice(0, steps.indexOf('fsync data/animal-store.db')).filter((step) => step.endsWith('-wal'))
    expect(before, steps.join(', ')).toStrictEqual(['fsync data/animal-store.db-wal', 'fsync data/animal-store.db-wal'])
  })

  it('rename a backup and an export where the file system has no hard links', async () => {
    await stepsOfCommand(['keys', 'create'])
    for (const name of ['backup', 'export']) {
      const words = [name, join(dirname(folder), name)]
      const steps = await stepsOfCommand(words, '-e', 'inject=link,linkat:error=EPERM')
      const at = steps.indexOf(`rename .${name}.unfinished- ${name}`)
      expect(steps.slice(at, at + 2), steps.join(', ')).toStrictEqual([steps[at], 'fsync'])
    }
  })
})
