// Opens the folder of its argument as a user who is not root, and prints why it cannot.
import { openLmdbStore } from '../../../src/adapters/lmdb/store.js'

const NOBODY = 65_534

// no mode of a folder stops root
if (process.getuid?.() === 0) process.setuid?.(NOBODY)
try {
  await openLmdbStore({ directory: process.argv[2] ?? '', isRelayed: false, reportDamage: () => {} })
  process.stdout.write('opened')
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error))
}
process.exit()
