import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { VERSION } from '../../src/composition/service-log.js'
import { temporaryFolder } from '../support/runner/temporary-folder.js'

it('names the version of package.json', async () => {
  expect(JSON.parse(await readFile('package.json', 'utf8'))).toMatchObject({ version: VERSION })
})

it('writes its lines in a bundle too, far from this package', async () => {
  const folder = await temporaryFolder()
  const contents = `import { loadJsonLog } from './src/exports/http.ts'
    void loadJsonLog('info', process.stdout).then((log) => log.info({ store: 'mine' }, 'opened'))`
  await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    outfile: join(folder, 'program.cjs'),
    bundle: true,
    platform: 'node',
    // of ES modules, which know where they are; only the documentation asks
    logOverride: { 'empty-import-meta': 'silent' },
  })
  const { stdout } = await promisify(execFile)(process.execPath, ['program.cjs'], { cwd: folder })
  expect(JSON.parse(stdout)).toMatchObject({ service: 'animal-store', version: VERSION, store: 'mine', msg: 'opened' })
})
