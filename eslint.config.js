// Type-aware lint; format and everything that needs no types is Biome's.
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

export default defineConfig(
  { ignores: ['dist', 'coverage', 'reports', 'data', '.stryker-tmp', 'examples', '**/*.js', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      // ids, counts and times belong in messages; String() around each would add nothing
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allow: ['URL', 'URLSearchParams'] },
      ],
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
    // an asymmetric matcher of vitest, expect.any(String), is of type any
    files: ['test/**', 'src/testing/**'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
)
