// The tests of the outer parts, for mutation testing: without those that start processes, which mutants do not reach.
import { defineConfig } from 'vitest/config'
import { writerThread } from '../support/stores/writer-thread.js'

export default defineConfig({
  plugins: [writerThread()],
  test: {
    include: [
      'test/adapters/http/*.test.ts',
      'test/adapters/http/{access,endpoints,feed,messages,server}/**/*.test.ts',
      'test/adapters/{node,prometheus,sqlite}/**/*.test.ts',
      'test/adapters/mongodb/documents.test.ts',
      'test/{client,commands,composition,config}/**/*.test.ts',
    ],
    exclude: ['test/**/*.{slow,int,fault}.test.ts', 'test/**/documentation.test.ts'],
    isolate: false,
    expect: { poll: { timeout: 20_000, interval: 20 } },
    testTimeout: 30_000,
    setupFiles: ['test/support/runner/no-shrinking.ts'],
  },
})
