// A clone as readers of the documentation have it: every file of this checkout, without its data and settings.
import { execFile } from 'node:child_process'
import { lutimes, mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../network/free-port.js'
import { temporaryFolder } from '../runner/temporary-folder.js'
import { childEnvironment } from './child-environment.js'
import { type CliProcess, startProcess } from './cli-process.js'

const OWN = new Set(['.env', '.git', 'coverage', 'data', 'reports'])

/** Stand-ins for programs that machines lack or that would leave the folder. */
const PROGRAMS: Readonly<Record<string, string>> = {
  // links to this checkout, which is installed and built, replace `npm ci`
  npm: '#!/bin/sh\n[ "$1" = ci ] || PATH="$FORMER_PATH" exec npm "$@"\n',
  'animal-store': `#!/bin/sh\nexec node ${resolve('dist/cli.js')} "$@"\n`,
  // uses the driver of the store, so that the statement runs against its tables on every machine
  sqlite3: `#!/usr/bin/env node
import { DatabaseSync } from ${JSON.stringify(import.meta.resolve('@photostructure/sqlite'))}
const [option, file, statement] = process.argv.slice(2)
if (option !== '-readonly') throw new Error(option)
for (const row of new DatabaseSync(file, { readOnly: true }).prepare(statement).all()) console.log(Object.values(row).join('|'))
`,
  systemctl: '#!/bin/sh\n',
  runuser: '#!/bin/sh\nshift 3\nexec "$@"\n',
}

export interface Clone {
  readonly folder: string
  readonly port: string
  /** Runs lines of a page as if pasted into a shell, stopping at the first failure. Resolves to stdout. */
  readonly run: (lines: string) => Promise<string>
  /** For commands that run until the test ends. */
  readonly start: (lines: string) => CliProcess
}

export const makeClone = async (): Promise<Clone> => {
  const folder = await temporaryFolder()
  for (const name of (await readdir('.')).filter((entry) => !OWN.has(entry))) {
    await symlink(resolve(name), join(folder, name))
    // otherwise npm start would build, because a source seems newer than the build
    await lutimes(join(folder, name), 0, 0)
  }
  const bin = join(folder, 'bin')
  await mkdir(bin)
  for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(bin, name), text, { mode: 0o755 })
  await writeFile(join(bin, '.curlrc'), 'fail-with-body\nsilent\nshow-error\n')
  const port = String(await freePort())
  const FORMER_PATH = `${resolve('node_modules/.bin')}:${process.env['PATH']}`
  const env = childEnvironment({
    PORT: port,
    DRAIN_SECONDS: '0',
    PATH: `${bin}:${FORMER_PATH}`,
    FORMER_PATH,
    CURL_HOME: bin,
    npm_config_update_notifier: 'false',
  })
  const bash = (lines: string): readonly string[] => [
    '--norc',
    '-euo',
    'pipefail',
    '-c',
    lines.replaceAll('8080', port),
  ]
  return {
    folder,
    port,
    run: async (lines) => (await promisify(execFile)('bash', bash(lines), { cwd: folder, env })).stdout,
    // npm starts child processes
    start: (lines) => startProcess('bash', bash(lines), env, { cwd: folder, isGroup: true }),
  }
}
