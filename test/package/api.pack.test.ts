// The public API cannot change unseen: `npm run api` writes its reports anew.
import { readFile } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { expect, it } from 'vitest'
import { apiReports } from './api-report.js'

it('has the public API of the committed reports', async () => {
  const { exports } = JSON.parse(await readFile('package.json', 'utf8')) as { exports: Record<string, unknown> }
  const entries = Object.keys(exports).filter((entry) => entry !== './package.json')
  const name = (entry: string): string => (entry === '.' ? 'domain' : entry.slice(2))
  const files = entries.map((entry) => resolve('dist/exports', `${name(entry)}.d.ts`))
  const dist = resolve('dist') + sep
  const reports = apiReports(files, (file) => resolve(file).startsWith(dist))
  for (const [at, entry] of entries.entries()) {
    const title = `# ${entry.replace('.', 'animal-store')}\n\nWritten by \`npm run api\`.\n`
    await expect(`${title}\n${reports[at]}`).toMatchFileSnapshot(`../../etc/api/${name(entry)}.api.md`)
  }
})
