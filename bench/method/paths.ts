// Paths of the repository, wherever the benchmark is started from.
import { fileURLToPath } from 'node:url'

export const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

export const SERVICE = pathOf('dist/cli.js')
