import type { StoreConfig } from '../../../src/config/config.js'

export type StoreName = StoreConfig['_tag']

/** A new value of STORE does not compile until it is listed here. */
export const SUITE_FILES: Readonly<Record<StoreName, string>> = {
  embedded: 'test/adapters/sqlite/sqlite.slow.test.ts',
  mongodb: 'test/adapters/mongodb/contracts.int.test.ts',
  memory: 'test/adapters/memory/memory.test.ts',
}
