// The domain's own tests alone, for mutation testing: it repeats them for every mutant.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts'],
    // the domain keeps no state: files may share their modules, fast-check above all
    isolate: false,
    setupFiles: ['test/support/runner/no-shrinking.ts'],
  },
})
