// The public API cannot change unnoticed: `npm run api` updates its reports.
import { expect, it } from 'vitest'
import { apiReports } from './api-report.js'
import { entries } from './entries.js'

it('has the public API in the committed reports', async () => {
  const reports = apiReports()
  for (const [at, { name, file }] of entries.entries()) {
    const text = `# ${name}\n\nWritten by \`npm run api\`.\n\n${reports[at]}`
    await expect(text).toMatchFileSnapshot(`api/${file}.api.md`)
  }
})
