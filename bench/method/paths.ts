// Paths of the repository, independent of the working directory.
import { fileURLToPath } from 'node:url'

export const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url))

export const SERVICE = pathOf('dist/cli.js')
