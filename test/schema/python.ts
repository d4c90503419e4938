// A Python environment with the packages of requirements.txt, installed once for each content of that file.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { access, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

const REQUIREMENTS = 'test/schema/requirements.txt'
const CACHE = 'node_modules/.cache/animal-store'

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The folder of its programs; needs the package registry of Python the first time. */
export const installPackages = async (python3: string): Promise<string> => {
  const { stdout } = await execute(python3, ['--version'])
  const text = stdout + (await readFile(REQUIREMENTS, 'utf8'))
  const folder = join(CACHE, `python-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`)
  const programs = join(process.cwd(), folder, 'bin')
  const isComplete = join(folder, 'complete')
  if (await exists(isComplete)) return programs
  await rm(folder, { recursive: true, force: true })
  await execute(python3, ['-m', 'venv', folder])
  const options = ['--quiet', '--disable-pip-version-check', '--no-input']
  await execute(join(programs, 'python'), ['-m', 'pip', 'install', ...options, '--requirement', REQUIREMENTS])
  await writeFile(isComplete, '')
  return programs
}
