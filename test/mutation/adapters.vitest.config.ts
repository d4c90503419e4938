// The tests of the pure files of the adapters alone, for mutation testing: it repeats them for every mutant.
import { defineConfig } from 'vitest/config'
import { writerThread } from '../support/stores/writer-thread.js'

export default defineConfig({
  plugins: [writerThread()],
  test: {
    include: [
      'test/adapters/http/{endpoints,messages}/**/*.test.ts',
      'test/adapters/http/{authentication,cors,log,methods,order-of-checks}.test.ts',
      'test/adapters/sqlite/*.test.ts',
      'test/adapters/mongodb/documents.test.ts',
    ],
    // needs the files in assets/, which are not copied for each run
    exclude: ['test/**/*.{slow,int}.test.ts', 'test/adapters/http/endpoints/documentation.test.ts'],
    isolate: false,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    setupFiles: ['test/support/runner/no-shrinking.ts'],
  },
})
