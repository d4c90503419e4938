// A process that opens a store in its folder, writes, and ends without closing it.
import { openSqliteStore } from '../../../src/adapters/sqlite/store.js'
import { numbered, record, succeed } from '../../../src/testing/samples.js'

const [directory = ''] = process.argv.slice(2)
const store = await succeed(openSqliteStore({ directory, notify: () => {}, reportDamage: () => {} }))
await succeed(store.pets.add(record(numbered(1))))
