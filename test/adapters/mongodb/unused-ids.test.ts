import { MongoClient } from 'mongodb'
import { expect, it } from 'vitest'
import { DEADLINES } from '../../../src/adapters/mongodb/connection/deadlines.js'
import { makeUnusedIds } from '../../../src/adapters/mongodb/id-generator.js'
import { range } from '../../../src/testing/samples.js'

it('of more than 10,000 unused ids, the oldest is forgotten', () => {
  // nothing connects to it
  const unused = makeUnusedIds({ database: new MongoClient('mongodb://127.0.0.1:1').db(), deadlines: DEADLINES })
  for (const id of range(1, 10_001)) unused.drawn(BigInt(id))
  expect([1n, 2n, 10_001n, 2n].map(unused.use)).toStrictEqual([false, true, true, false])
})
