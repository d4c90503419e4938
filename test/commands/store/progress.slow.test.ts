// The progress bar of every long command, on a terminal from util-linux' `script`.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { childEnvironment } from '../../support/processes/child-environment.js'
import { SOURCES } from '../../support/processes/cli-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

/** In order: the store, what is drawn at the end, and the command. */
const commandsIn = (folder: string) =>
  [
    ['store', '3000 of 3000 pets', 'seed 3000'],
    ['store', '3000 records', `export ${join(folder, 'export.jsonl')}`],
    ['copy', '3000 records', `import ${join(folder, 'export.jsonl')}`],
    ['copy', '3000 of 3000 records', `verify ${join(folder, 'copy')}`],
  ] as const

const onTerminal = async (command: string, environment: Readonly<Record<string, string>>): Promise<string> => {
  const words = ['-qec', [process.execPath, ...SOURCES, command].join(' '), '/dev/null']
  const { stdout } = await promisify(execFile)('script', words, { env: childEnvironment(environment) })
  return stdout
}

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  it.each<Readonly<Record<string, string>>>([{ TERM: 'dumb' }, { TERM: 'xterm', NO_COLOR: '1' }])(
    'no command prints an escape sequence with %j, and neither does the log',
    async (terminal) => {
      const folder = await temporaryFolder()
      // all commands share this decision, so one suffices
      const seeded = await onTerminal('seed 3000', { DATA_DIR: join(folder, 'store'), ...terminal })
      expect(seeded).not.toContain('\x1b')
      // a file instead of its folder ends it after the first lines
      const file = join(folder, 'file')
      await writeFile(file, '')
      const environment = { DATA_DIR: file, PORT: '0' }
      const log = await onTerminal('serve || true', { ...environment, ...terminal })
      expect(log).toContain('starting')
      expect(log).not.toContain('\x1b')
      expect(await onTerminal('serve || true', { ...environment, TERM: 'xterm' })).toContain('\x1b')
    },
  )

  it('each long command shows how much is done', async () => {
    const folder = await temporaryFolder()
    for (const [store, last, command] of commandsIn(folder)) {
      const stdout = await onTerminal(command, { DATA_DIR: join(folder, store), TERM: 'xterm' })
      // a Ctrl-C in between would leave the cursor hidden or line wrapping off
      expect(stdout).not.toContain('\x1b[?')
      const drawn = stdout.match(new RegExp(String.raw`${last.replaceAll(/\d+/g, String.raw`\d+`)}\b`, 'g')) ?? []
      expect(drawn.length, command).toBeGreaterThan(1)
      expect(drawn.at(-1), command).toBe(last)
    }
  })
})
