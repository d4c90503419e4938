// A process that opens the store in the folder of its argument and closes it, again and again. Tests kill it.
import { openSqliteStore } from '../../../src/adapters/sqlite/store.js'
import { succeed } from '../../../src/testing/samples.js'

const [directory = ''] = process.argv.slice(2)
for (;;) await (await succeed(openSqliteStore({ directory, notify: () => {}, reportDamage: () => {} }))).close()
