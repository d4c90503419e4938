// The version of this package, from its package.json.
import { readFileSync } from 'node:fs'

const read = (): string => {
  const text = readFileSync(new URL(import.meta.resolve('animal-store/package.json')), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

let version: string | undefined

/** Read on first use, because an import must not read files. */
export const packageVersion = (): string => {
  version ??= read()
  return version
}
