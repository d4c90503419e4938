// A process that takes the write lock of the folder in its argument, and keeps it until it is killed.
import { writeSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { openEnvironment } from '../../../src/adapters/lmdb/environment/environment.js'

const environment = await openEnvironment({ directory: process.argv[2] ?? '', checksDataFile: true, notify: () => {} })
await environment.write(() => {
  writeSync(1, 'held\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  return E.right(undefined)
})()
