// The version of this package, as its package.json states it.
import { readFileSync } from 'node:fs'

const read = (): string => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

let version: string | undefined

/** Read when it is first asked for: an import must not touch the disk. */
export const packageVersion = (): string => {
  version ??= read()
  return version
}
