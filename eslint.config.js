// Type-aware lint; format and everything that needs no types is Biome's.
import { defineConfig } from 'eslint/config'
import regexp from 'eslint-plugin-regexp'
import tseslint from 'typescript-eslint'

const castThroughUnknown = {
  selector: 'TSAsExpression > TSAsExpression[typeAnnotation.type="TSUnknownKeyword"]',
  message: 'A cast through unknown silences the compiler.',
}
const environment = {
  selector: 'MemberExpression[object.name="process"][property.name="env"]',
  message: 'Settings come from src/config.',
}

const actingGlobals = [
  'process',
  'console',
  'fetch',
  'crypto',
  'performance',
  'setTimeout',
  'setInterval',
  'setImmediate',
]

export default defineConfig(
  { ignores: ['dist', 'coverage', 'reports', 'data', '.stryker-tmp', 'examples', '**/*.js', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { noInlineConfig: true },
    rules: {
      // ids, counts and times belong in messages; String() around each would add nothing
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allow: ['URL', 'URLSearchParams'] },
      ],
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      // a codec says that its input is unknown, though that is the default of io-ts
      '@typescript-eslint/no-unnecessary-type-arguments': 'off',
      // an arrow that returns what a void function returns is how fp-ts code is composed
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // a spread of a string counts code points, as the contract does
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      // the compiler finds these (noUnusedLocals, noUnusedParameters)
      '@typescript-eslint/no-unused-vars': 'off',
      // `async` without `await` makes a port's Promise, and turns a throw into a rejection
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      // a client must not be able to make a pattern slow
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      'no-restricted-syntax': ['error', castThroughUnknown, environment],
    },
  },
  {
    // the command line hands the environment to src/config, which parses it
    files: ['src/cli.ts'],
    rules: { 'no-restricted-syntax': ['error', castThroughUnknown] },
  },
  {
    // pure: time, randomness and all that acts come in through ports
    files: ['src/domain/**'],
    languageOptions: { globals: Object.fromEntries(actingGlobals.map((name) => [name, 'readonly'])) },
    rules: {
      'no-restricted-globals': ['error', ...actingGlobals],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now' },
        { object: 'Math', property: 'random' },
      ],
      'no-restricted-syntax': [
        'error',
        castThroughUnknown,
        {
          selector: 'NewExpression[callee.name="Date"][arguments.length=0]',
          message: 'The time comes from the clock.',
        },
      ],
    },
  },
  {
    // what it imports is installed only where the benchmarks run, which compile it
    files: ['bench/servers/{fastify,sqlite}.ts'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ['test/**', 'src/testing/**'],
    rules: {
      // an asymmetric matcher of vitest, expect.any(String), is of type any
      '@typescript-eslint/no-unsafe-assignment': 'off',
      // what beforeAll sets may be unset in afterAll, if it failed
      '@typescript-eslint/no-unnecessary-condition': 'off',
    },
  },
)
