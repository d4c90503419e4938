// The table of entries in docs/embedding.md: what to install for each.
import { readFileSync } from 'node:fs'

export interface Row {
  /** `animal-store/http` */
  readonly entry: string
  /** In addition to `animal-store`, such as `koa@3`. */
  readonly installed: readonly string[]
  /** Needed only by some settings. */
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
