import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { mountSmallDisk } from '../containers/tmpfs.js'

export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A path in an empty folder at which nothing exists yet. */
export const temporaryPath = async (): Promise<string> => join(await temporaryFolder(), 'data')

/** An empty disk of this size, such as `4m`; only for suites that need `tmpfs`. */
export const temporaryDisk = async (size: string): Promise<string> => {
  const { path, unmount } = await mountSmallDisk(size)
  onTestFinished(unmount)
  return path
}
