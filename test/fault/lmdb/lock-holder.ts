// A process that takes the write lock of the folder in its argument, and keeps it until it is killed.
import { writeSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { openEnvironmentIn } from '../../adapters/lmdb/open-store.js'

const environment = await openEnvironmentIn(process.argv[2] ?? '')
await environment.write(() => {
  writeSync(1, 'held\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  return E.right(undefined)
})()
