// A process that reads the store in the folder of its argument, and sends what it finds: a damaged page may end it.

import { identify } from '../../adapters/lmdb/backup.js'
import { verifyStore } from '../../adapters/lmdb/verify-store.js'
import { asError } from '../../domain/thrown.js'

const [directory = '', work] = process.argv.slice(2)
const found = await (work === 'identify'
  ? identify(directory).then((identity) => identity ?? null)
  : verifyStore(directory, (done, total) => process.send?.({ done, total }))
).catch((error: unknown) => asError(error).message)
process.send?.(found, () => process.exit(0))
