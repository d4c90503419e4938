// On a terminal of its own, which util-linux' `script` makes: the bar of every long command.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { childEnvironment } from '../../support/processes/child-environment.js'
import { SOURCES } from '../../support/processes/cli-process.js'
import { temporaryFolder } from '../../support/runner/temporary-folder.js'

describe.runIf(process.platform === 'linux')('on a terminal', () => {
  it('seed, export, import and verify show how much is done, and never that nothing is left before the end', async () => {
    const folder = await temporaryFolder()
    const file = join(folder, 'export.jsonl')
    for (const [store, things, command] of [
      ['store', 'pets', 'seed 3000'],
      ['store', 'records', `export ${file}`],
      ['copy', 'records', `import ${file}`],
      ['copy', 'entries', `verify ${join(folder, 'copy')}`],
    ] as const) {
      const words = ['-qec', [process.execPath, ...SOURCES, command].join(' '), '/dev/null']
      const env = childEnvironment({ DATA_DIR: join(folder, store), TERM: 'xterm' })
      const { stdout } = await promisify(execFile)('script', words, { env })
      const drawn = [...stdout.matchAll(/(\d+) of (\d+) (\w+)(?:, (\d+) s left)?/g)].map(([, ...cells]) => cells)
      expect(drawn.length, command).toBeGreaterThan(1)
      const total = drawn[0]?.[1]
      expect(drawn.at(-1)?.slice(0, 3), command).toStrictEqual([total, total, things])
      expect(drawn.filter(([value, total, , left]) => value !== total && left === '0')).toStrictEqual([])
    }
  })
})
