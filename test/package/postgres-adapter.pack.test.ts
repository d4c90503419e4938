// Uses the example of a custom store as its README says, over a PostgreSQL server that it starts.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { inject, it } from 'vitest'
import { npmTest } from './npm-test.js'
import { scratchIn } from './scratch.js'

const FIND = 'command -v initdb || ls /usr/lib/postgresql/*/bin/initdb'

it('works: postgres-adapter', async (context) => {
  const isMissing = spawnSync('sh', ['-c', FIND]).status !== 0
  if (process.env['CONTAINERS'] !== 'required') context.skip(isMissing, `not found: ${FIND}`)
  await npmTest(scratchIn(join(inject('installed'), 'examples/postgres-adapter')))
})
