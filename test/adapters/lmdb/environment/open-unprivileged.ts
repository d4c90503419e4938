// Opens the folder of its argument as a user other than root, and prints why it cannot.
import * as E from 'fp-ts/lib/Either.js'
import { openLmdbStore } from '../../../../src/adapters/lmdb/store.js'

const NOBODY = 65_534

// root ignores the mode of a folder
if (process.getuid?.() === 0) process.setuid?.(NOBODY)
const settings = { directory: process.argv[2] ?? '', checksDataFile: true }
const opened = await openLmdbStore({ ...settings, reportDamage: () => {}, notify: () => {} })()
process.stdout.write(E.isLeft(opened) ? E.toError(opened.left.cause).message : 'opened')
process.exit()
