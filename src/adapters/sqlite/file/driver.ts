// SQLite as Node has it, or as the package with the same interface has it.
import { createRequire } from 'node:module'

type Driver = typeof import('@photostructure/sqlite')

/** Earlier versions can corrupt a log that is reset during a checkpoint (sqlite.org/wal.html, "The WAL-Reset Bug"). */
const OLDEST_SQLITE = '3.51.3'

const versionOf = ({ DatabaseSync }: Driver): string => {
  const database = new DatabaseSync(':memory:', { returnArrays: true })
  try {
    return String(database.prepare('SELECT sqlite_version()').get())
  } finally {
    database.close()
  }
}

const ofNode = (): Driver | undefined => process.getBuiltinModule('node:sqlite') as Driver | undefined

const ofPackage = (): Driver | undefined => {
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite') as Driver
  } catch {
    // not installed, or not for this platform
    return undefined
  }
}

/** Node 22 warns that its SQLite is experimental, so there an installed package comes first. Throws if there is no usable SQLite. */
export const loadDriver = (): Driver => {
  const isStable = Number.parseInt(process.versions.node, 10) >= 24
  const found: string[] = []
  for (const load of isStable ? [ofNode, ofPackage] : [ofPackage, ofNode]) {
    const driver = load()
    if (driver === undefined) continue
    const version = versionOf(driver)
    if (version.localeCompare(OLDEST_SQLITE, 'en', { numeric: true }) >= 0) return driver
    found.push(version)
  }
  const lack = found.length === 0 ? 'this Node has none' : `this Node has ${found.join(' and ')}`
  throw new Error(
    `SQLite ${OLDEST_SQLITE} or later, and ${lack}: npm install @photostructure/sqlite@1, or use Node 24.21 or later`,
  )
}
