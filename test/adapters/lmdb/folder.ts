// A temporary folder for a test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Folder {
  /** A path that does not exist, in an existing folder. */
  readonly path: string
  readonly remove: () => Promise<void>
}

export const makeFolder = async (): Promise<Folder> => {
  const parent = await mkdtemp(join(tmpdir(), 'animal-store-test-'))
  return { path: join(parent, 'data'), remove: () => rm(parent, { recursive: true, force: true }) }
}
