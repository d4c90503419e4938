// unit: needs nothing, not even time. fetch: the suites of HTTP over the fetch handler. slow: starts processes, or waits for time
// limits that no setting shortens. int: needs containers or the like.
// fault: kills and starves what it runs on, and takes its time. hostile: attacks the built service.
// pack: packs the package and installs it elsewhere. schema: what others generate from openapi.yaml.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const services = './test/support/containers/services.ts'
const bundle = './test/support/processes/bundle.ts'
const build = './test/support/processes/build.ts'
const nothingLeft = './test/support/runner/nothing-left.ts'
/** Tests wait for disks, sockets and timers for a third of their time. */
const maxWorkers = Math.ceil(1.5 * availableParallelism())
const report = process.env['TEST_REPORT']

export default defineConfig({
  test: {
    reporters: [
      'default',
      './test/support/containers/not-run.reporter.ts',
      './test/support/processes/process-coverage.reporter.ts',
      ...(report === undefined
        ? []
        : [
            ['json', { outputFile: report }] satisfies [string, unknown],
            ['junit', { outputFile: report.replace(/json$/, 'xml') }] satisfies [string, unknown],
          ]),
    ],
    // a test that checks nothing cannot fail; a wait that fails says more than the time limit of its test
    expect: { requireAssertions: true, poll: { timeout: 40_000, interval: 20 } },
    setupFiles: nothingLeft,
    // CI runs these tests a second time with the least priority
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      include: ['src/**'],
      exclude: ['src/testing/**'],
      reporter: ['text-summary', 'html'],
      // a point or two below what all suites reach, with the processes that they start: less is possible only without containers
      thresholds: {
        ...(process.env['CONTAINERS'] === 'required' && { statements: 97, branches: 92, functions: 96, lines: 97 }),
        'src/domain/**': { branches: 100 },
      },
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/**/*.{slow,int,fault,hostile,pack,schema}.test.ts'],
          // no test relies on what a module remembers, so files may share a process and what is loaded in it: a third of the time
          isolate: false,
          maxWorkers,
          // no test may rely on those before it; vitest prints the seed, and --sequence.seed repeats it
          sequence: { shuffle: process.env['CI'] !== undefined },
        },
      },
      {
        extends: true,
        test: {
          name: 'fetch',
          include: ['test/adapters/http/**/*.test.ts', 'test/error-codes.test.ts', 'test/openapi-examples.test.ts'],
          // sockets, what Node's server does by itself, and the handler's own tests
          exclude: ['test/adapters/http/{server,fetch}/**', 'test/adapters/http/hostile-input.test.ts'],
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
          // projects that differ in their workers run one after another, and vitest wants to know in which order
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'fault',
          include: ['test/**/*.fault.test.ts'],
          globalSetup: [build, services],
          testTimeout: 120_000,
          // they wait for most of the time, such as for the end of a lease
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: ['test/hostile/*.hostile.test.ts'],
          globalSetup: build,
          testTimeout: 120_000,
          // what one attack costs must not count as the cost of another
          fileParallelism: false,
          isolate: false,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: 'schema',
          include: ['test/schema/*.schema.test.ts'],
          globalSetup: [build, services],
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'pack',
          include: ['test/package/*.pack.test.ts'],
          globalSetup: './test/package/tarball.ts',
          maxWorkers,
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
})
