// A process that verifies the store in the folder of its argument, and sends what it finds: a damaged page may end it.
import { toError } from 'fp-ts/lib/Either.js'
import { verifyStore } from '../../adapters/lmdb/verify-store.js'

const [directory = ''] = process.argv.slice(2)
const verification = await verifyStore(directory, (done, total) => process.send?.({ done, total })).catch(
  (error: unknown) => toError(error).message,
)
process.send?.(verification, () => process.exit(0))
