// Opens the folder of its argument as a user other than root, and prints why it cannot.
import { openStoreIn } from '../open-store.js'

const NOBODY = 65_534

// root ignores the mode of a folder
if (process.getuid?.() === 0) process.setuid?.(NOBODY)
try {
  await openStoreIn(process.argv[2] ?? '')
  process.stdout.write('opened')
} catch (error) {
  process.stdout.write(error instanceof Error ? error.message : String(error))
}
process.exit()
