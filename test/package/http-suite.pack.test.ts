// Runs the suites of HTTP against the fetch handler of the packed package on other runtimes, over their own sockets.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build, type Plugin } from 'esbuild'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { EXCEPTIONS, type Exception } from './http-suite-exceptions.js'
import { type Runtime, startRuntime } from './runtimes.js'
import { INSTALL, makeScratch, type Scratch } from './scratch.js'

const PROGRAM = 'test/support/runtimes/program.ts'

/** The entries of the package that have what the program imports of our sources. */
const ENTRIES: Readonly<Record<string, string>> = {
  'src/composition/make-fetch-handler.js': 'animal-store/fetch',
  'src/adapters/memory/store.js': 'animal-store/memory',
  'src/adapters/node/system.js': 'animal-store/node',
}

const packed: Plugin = {
  name: 'packed',
  setup: (building) => {
    building.onResolve({ filter: /\/src\// }, ({ path }) => {
      const entry = ENTRIES[path.slice(path.indexOf('src/'))]
      if (entry === undefined) throw new Error(`no entry of the package has ${path}`)
      return { path: entry, external: true }
    })
  },
}

/** Those that start a service: others would pass without the runtime. */
const SUITES = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && /(startHttp|shareHttp)\(/.test(readFileSync(join('test', file), 'utf8')),
)

interface Result {
  readonly file: string
  readonly name: string
  readonly failure: string | undefined
}

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

/** The project `fetch`, whose tests call the program at this address. */
const runSuites = async (address: string, output: string): Promise<readonly Result[]> => {
  const outer = Object.entries(process.env).filter(([name]) => !/^VITEST|^TEST_REPORT$/.test(name))
  const env = { ...Object.fromEntries(outer), HTTP_RUNTIME: address }
  const words = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--project',
    'fetch',
    // so that all cases of a test that hangs fail, and are named, within the limit of the outer test
    '--testTimeout=30000',
    '--reporter=json',
    '--outputFile',
    output,
  ]
  const files = SUITES.map((file) => join('test', file))
  // its exit is 1 even if nothing fails but the exceptions
  await promisify(execFile)(process.execPath, [...words, ...files], { env, maxBuffer: 2 ** 26 }).catch(() => undefined)
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const file = name.slice(name.lastIndexOf('/test/') + '/test/'.length)
    const whole = message === '' ? [] : [{ file, name: 'the whole file', failure: message }]
    const tests = assertionResults.map(({ fullName, status, failureMessages }) => ({
      file,
      name: fullName,
      failure: status === 'passed' ? undefined : `${status}: ${failureMessages.join('\n')}`,
    }))
    return [...whole, ...tests]
  })
}

const isOf = ({ file, name }: Result, { file: of, tests }: Exception): boolean => file === of && name.startsWith(tests)

/** That which happens in the process of the test says so. */
const isAsSaid = ({ failure = '' }: Result, { reason }: Exception): boolean =>
  !reason.startsWith('only in the process') || failure.includes(reason)

let scratch: Scratch

describe('the fetch handler', () => {
  beforeAll(async () => {
    scratch = await makeScratch()
    await scratch.write('package.json', '{ "private": true }')
    const needed = ['path-to-regexp@8', 'limiter@4']
    await scratch.run('npm', ...INSTALL, '--omit=optional', inject('tarball'), ...needed)
    await build({
      entryPoints: [PROGRAM],
      outfile: join(scratch.folder, 'program.mjs'),
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      plugins: [packed],
    })
    const program = "import { makeProgram } from './program.mjs'\n"
    await scratch.write('bare.mjs', `${program}export default { fetch: makeProgram(undefined) }`)
    await scratch.write(
      'documented.mjs',
      `${program}import { documentation } from 'animal-store/documentation'\nexport default { fetch: makeProgram(documentation) }`,
    )
    return scratch.remove
  })

  // at once: one of them waits for most of its time
  it.concurrent.each<readonly [Runtime, string]>([
    ['bun', './documented.mjs'],
    ['deno', './documented.mjs'],
    ['workerd', './bare.mjs'],
  ])('passes the suites of HTTP on %s, but for the listed exceptions', async (runtime, module) => {
    const address = await startRuntime(scratch, runtime, module)
    const results = await runSuites(address, join(scratch.folder, `${runtime}.json`))
    const exceptions = EXCEPTIONS.filter(({ on }) => on === undefined || on === runtime)
    const surprises = results.filter(
      (result) => result.failure !== undefined && !exceptions.some((one) => isOf(result, one) && isAsSaid(result, one)),
    )
    expect(surprises).toStrictEqual([])
    const stale = exceptions.filter((one) => {
      const covered = results.filter((result) => isOf(result, one))
      return covered.length === 0 || covered.some(({ failure }) => failure === undefined)
    })
    expect(stale, 'exceptions that no longer are').toStrictEqual([])
    expect(results.length, 'tests').toBeGreaterThan(700)
  })
})
