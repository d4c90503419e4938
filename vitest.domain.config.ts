// The domain's own tests alone: no branch of it may go without one, and mutation testing repeats them for every mutant.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/domain/**/*.test.ts'],
    setupFiles: ['test/support/no-shrinking.ts'],
    coverage: {
      include: ['src/domain/**'],
      reporter: ['text'],
      thresholds: { branches: 100, functions: 100, lines: 100 },
    },
  },
})
