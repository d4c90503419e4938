// What not-run.slow.test.ts runs: one suite whose service is missing, and a project without a file.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  test: {
    reporters: ['default', at('../runner/not-run.reporter.ts')],
    globalSetup: at('services.ts'),
    projects: [
      { extends: true, test: { name: 'suites', include: ['test/support/containers/needs-nats.ts'] } },
      { extends: true, test: { name: 'empty', include: ['test/support/containers/none.ts'] } },
    ],
  },
})
