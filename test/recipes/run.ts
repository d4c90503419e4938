// npm run recipes [NAME…]: carries each recipe of CONTRIBUTING.md, or those named, out on a copy of the tree. The whole patch must compile and pass its tests;
// without any one of its places, it must not: whoever forgets a place is told by the compiler or by a red test.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'

interface Recipe {
  readonly name: string
  readonly patch: string
  /** The file in which the recipe starts; it is never left out. */
  readonly start: string
  /** What vitest runs. */
  readonly tests: readonly string[]
  /** The other files of the patch. */
  readonly places: readonly string[]
  /** The files of src that the patch leaves to whoever follows the recipe: the compiler must name each. */
  readonly remaining: readonly string[]
  /** Tests that fail until the rest is done. */
  readonly red: readonly string[]
}

const FOLDER = resolve('test/recipes')

const readRecipe = (file: string): Recipe => {
  const patch = join(FOLDER, file)
  const text = readFileSync(patch, 'utf8')
  const wordsOf = (name: string): readonly string[] =>
    new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]?.split(' ') ?? []
  const [[start = ''], tests] = [wordsOf('Start'), wordsOf('Tests')]
  if (tests.length === 0) throw new Error(`${file} lacks the line "Tests: …" before its first file`)
  const files = [...text.matchAll(/^diff --git a\/\S+ b\/(\S+)$/gm)].map(([, path = '']) => path)
  if (!files.includes(start)) throw new Error(`${file} does not change ${start}`)
  const places = files.filter((path) => path !== start)
  const name = file.replace('.patch', '')
  return { name, patch, start, tests, places, remaining: wordsOf('Remaining'), red: wordsOf('Red') }
}

const fail = (message: string): never => {
  process.stdout.write(`${message}\n`)
  process.exit(1)
}

/** A copy of the committed tree, in a folder that the caller removes. */
const copyTree = (): string => {
  mkdirSync('reports', { recursive: true })
  const copy = resolve(mkdtempSync(join('reports', 'recipes-')))
  execFileSync('git', ['checkout-index', '--all', `--prefix=${copy}/`])
  for (const folder of ['node_modules', 'dist']) symlinkSync(resolve(folder), join(copy, folder))
  return copy
}

const apply = (cwd: string, patch: string, ...options: readonly string[]): void => {
  const { status, stderr } = spawnSync('git', ['apply', ...options, patch], {
    cwd,
    encoding: 'utf8',
    // not that of the repository around the copy
    env: { ...process.env, GIT_DIR: '/dev/null' },
  })
  if (status !== 0) fail(`${patch} does not apply: bring it up to date\n${stderr}`)
}

interface TypeError {
  readonly path: string
  readonly text: string
}

/** Checks the types of a folder again and again; only what a change affects is checked anew. */
const makeTypeCheck = (folder: string): (() => readonly TypeError[]) => {
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => ts.sys.readFile(path))
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder)
  const host = ts.createIncrementalCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  const known = new Map<string, ts.SourceFile>()
  host.getSourceFile = (path, ...others) => {
    const found = known.get(path)
    const isSame = found !== undefined && (path.includes('node_modules') || found.text === ts.sys.readFile(path))
    const source = isSame ? found : read(path, ...others)
    if (source !== undefined) known.set(path, source)
    return source
  }
  let before: ts.SemanticDiagnosticsBuilderProgram | undefined
  return () => {
    const program = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, before)
    before = program
    const errors = [...program.getSyntacticDiagnostics(), ...program.getSemanticDiagnostics()]
    return errors.map(({ file, code, messageText }) => ({
      path: file?.fileName.slice(folder.length + 1) ?? '',
      text: `TS${code} in ${file?.fileName.slice(folder.length + 1)}: ${ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 100)}`,
    }))
  }
}

/** The first test that fails, or what vitest prints if it cannot run. */
const runTests = (cwd: string, tests: readonly string[]): string | undefined => {
  const vitest = ['node_modules/.bin/vitest', 'run', '--project', 'unit', '--reporter', 'dot', '--bail', '1']
  const [command = '', ...args] = [...vitest, ...tests]
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  if (status === 0) return undefined
  return (
    /FAIL +(?:unit +)?(.*)/.exec(`${stdout}${stderr}`)?.[1] ??
    `vitest failed: ${stdout.slice(-500)}${stderr.slice(-500)}`
  )
}

const recipes = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.patch'))
  .map(readRecipe)
  .filter(({ name }) => process.argv.length === 2 || process.argv.includes(name))
const copy = copyTree()
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
const typeErrors = makeTypeCheck(copy)

for (const { name, patch, tests, places, remaining, red } of recipes) {
  process.stdout.write(`${name}\n`)
  apply(copy, patch)
  /** Tests, too, may have to follow if something remains. */
  const isLeft = ({ path }: TypeError): boolean =>
    remaining.includes(path) || (remaining.length > 0 && path.startsWith('test/'))
  const typeError = (): string | undefined => typeErrors().find((error) => !isLeft(error))?.text
  const fault = typeError() ?? runTests(copy, tests)
  if (fault !== undefined) fail(`  the whole recipe fails: ${fault}`)
  for (const path of remaining) {
    const named = typeErrors().find((error) => error.path === path)
    if (named === undefined) fail(`  the compiler does not name ${path}, which remains to be done`)
    process.stdout.write(`  remains: ${named?.text}\n`)
  }
  for (const path of red) {
    const failed = runTests(copy, [path])
    if (failed === undefined) fail(`  ${path} passes, before the rest is done`)
    process.stdout.write(`  remains: ${failed}\n`)
  }
  for (const place of places) {
    apply(copy, patch, '--reverse', `--include=${place}`)
    const noticed = typeError() ?? runTests(copy, tests)
    if (noticed === undefined) fail(`  without ${place}, it compiles and its tests pass: nothing notices`)
    process.stdout.write(`  without ${place}: ${noticed}\n`)
    apply(copy, patch, `--include=${place}`)
  }
  apply(copy, patch, '--reverse')
}
