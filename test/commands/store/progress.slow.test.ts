// On a terminal of its own, which util-linux' `script` makes: the bar of every long command.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { childEnvironment } from '../../support/processes/child-environment.js'
import { SOURCES } from '../../support/processes/cli-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  it('each long command shows how much is done, and never that nothing is left before the end', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'export.jsonl')
    for (const [store, things, command] of [
      ['store', 'pets', 'seed 3000'],
      ['store', 'records', `export ${file}`],
      ['copy', 'records', `import ${file}`],
      ['copy', 'entries', `verify ${join(folder, 'copy')}`],
      ['store', 'MB', `backup ${join(folder, 'backup')}`],
      // after the entries that it verifies
      ['store', 'MB', `restore ${join(folder, 'backup')}`],
    ] as const) {
      const words = ['-qec', [process.execPath, ...SOURCES, command].join(' '), '/dev/null']
      const env = childEnvironment({ DATA_DIR: join(folder, store), TERM: 'xterm' })
      const { stdout } = await promisify(execFile)('script', words, { env })
      const drawn = [...stdout.matchAll(/(\d+) of (\d+) (\w+)(?:, (\d+) s left)?/g)].map(([, ...cells]) => cells)
      expect(drawn.length, command).toBeGreaterThan(1)
      const [value, total, unit] = drawn.at(-1) ?? []
      expect([value, unit], command).toStrictEqual([total, things])
      expect(drawn.filter(([value, total, , left]) => value !== total && left === '0')).toStrictEqual([])
    }
  })
})
