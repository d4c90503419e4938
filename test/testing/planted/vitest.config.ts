// Of planted.test.ts only: the suites fail on purpose.
import { defineConfig } from 'vitest/config'

// a fault that makes a test wait has been found, too
export default defineConfig({ test: { include: ['test/testing/planted/suites.ts'], testTimeout: 5_000 } })
