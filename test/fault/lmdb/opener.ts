// A process that opens the folder in its argument and closes it, again and again: to read only, then to write. Tests kill it.
import { withRoot } from '../../../src/adapters/lmdb/tables/root.js'

const [directory = ''] = process.argv.slice(2)
for (let at = 0; ; at += 1) await withRoot(directory, { readOnly: at % 2 === 0 }, () => {})
