// The suffix of a file is its project: CONTRIBUTING.md says what each needs.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { writerThread } from './test/support/stores/writer-thread.js'

const services = './test/support/containers/services.ts'
const bundle = './test/support/processes/bundle.ts'
const build = './test/support/processes/build.ts'
/** Tests wait for disks, sockets and timers for two thirds of their time. */
const maxWorkers = 3 * availableParallelism()
const report = process.env['TEST_REPORT']
const isCi = process.env['CI'] !== undefined
const isNight = process.env['NIGHTLY'] !== undefined

export default defineConfig({
  plugins: [writerThread()],
  test: {
    reporters: [
      'default',
      './test/support/runner/not-run.reporter.ts',
      ...(report === undefined
        ? []
        : [
            ['json', { outputFile: report }] satisfies [string, unknown],
            ['junit', { outputFile: report.replace(/json$/, 'xml') }] satisfies [string, unknown],
          ]),
    ],
    passWithNoTests: false,
    // a test that checks nothing cannot fail; a wait that fails says more than the time limit of its test
    expect: { requireAssertions: true, poll: { timeout: 40_000, interval: 20 } },
    setupFiles: './test/support/runner/nothing-left.ts',
    // generous: no test may fail because the machine has other work
    testTimeout: 120_000,
    hookTimeout: 120_000,
    coverage: {
      include: ['src/**'],
      exclude: ['src/testing/**'],
      reporter: ['text-summary', 'html'],
      // a few points below what all suites reach, without the processes that they start: less is possible only without containers
      thresholds: {
        ...(process.env['CONTAINERS'] === 'required' && { statements: 93, branches: 89, functions: 93, lines: 94 }),
        'src/domain/**': { branches: 100 },
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{slow,int,fault,hostile,pack,schema,nightly}.test.ts'],
          // no test relies on what a module remembers, so files may share a process and what is loaded in it: a third of the time
          isolate: false,
          maxWorkers,
          // no test may rely on those before it; vitest prints the seed, and --sequence.seed repeats it
          sequence: { shuffle: isCi },
        },
      },
      {
        extends: true,
        test: {
          name: 'fetch',
          include: ['test/adapters/http/**/*.test.ts', 'test/error-codes.test.ts', 'test/openapi-examples.test.ts'],
          // sockets, what Node's server does by itself, and the handler's own tests
          exclude: ['test/adapters/http/{server,fetch}/**'],
          provide: { runtime: 'fetch' },
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          globalSetup: bundle,
          include: ['test/**/*.slow.test.ts'],
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'int',
          include: ['test/**/*.int.test.ts'],
          globalSetup: [build, services],
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'fault',
          include: ['test/**/*.fault.test.ts'],
          globalSetup: [build, services],
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: ['test/hostile/*.hostile.test.ts'],
          globalSetup: build,
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'schema',
          include: ['test/schema/*.schema.test.ts'],
          globalSetup: [build, services],
          isolate: false,
          maxWorkers,
        },
      },
      {
        extends: true,
        test: {
          name: 'pack',
          include: ['test/package/*.pack.test.ts'],
          // installs and runtimes of their own: at night
          exclude: isNight
            ? []
            : ['test/package/{copied-examples,lean-install,old-node,production,runtimes}.pack.test.ts'],
          globalSetup: './test/package/tarball.ts',
          maxWorkers,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'nightly',
          include: ['test/**/*.nightly.test.ts', 'test/hostile/*.hostile.test.ts'],
          globalSetup: [build, services],
          testTimeout: 600_000,
          // what one attack costs must not count as the cost of another
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
