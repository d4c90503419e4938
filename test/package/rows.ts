// The table of entries in docs/embedding.md: what to install for each.
import { readFileSync } from 'node:fs'

export interface Row {
  /** `animal-store/http` */
  readonly entry: string
  /** Packages beside `animal-store`, such as `koa@3`. */
  readonly installed: readonly string[]
  /** Those that only some settings need. */
  readonly optional: readonly string[]
}

const ROW = /^\| `(animal-store[^`]*)` \| .* \| `npm install animal-store([^`|]*)` \| (.*)\|$/gm

export const rows: readonly Row[] = [...readFileSync('docs/embedding.md', 'utf8').matchAll(ROW)].map(
  ([, entry = '', installed, optional = '']) => ({
    entry,
    installed: installed?.split(' ').filter((name) => name !== '') ?? [],
    optional: [...optional.matchAll(/`([^`]+@[^`]+)`/g)].map(([, name = '']) => name),
  }),
)
