// Paths of the repository, wherever the benchmark is started from.
import { fileURLToPath } from 'node:url'

/** The path of a file of the repository. */
export const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

export const SERVICE = pathOf('dist/cli.js')
