// A disk of a few megabytes in memory. Mounting it needs root and the permission to mount.
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export const mountSmallDisk = async (size: string) => {
  const path = await mkdtemp(join(tmpdir(), 'animal-store-disk-'))
  const remove = () => rm(path, { recursive: true })
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path])
  } catch (error) {
    await remove()
    throw error
  }
  const unmount = async (): Promise<void> => {
    await run('umount', [path])
    await remove()
  }
  return { path, unmount }
}
