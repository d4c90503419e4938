// Builds the command line once per run, unless the build is up to date.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export default async (): Promise<void> => {
  await promisify(execFile)('npm', ['run', '--silent', 'prestart'])
}
