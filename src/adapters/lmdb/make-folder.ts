// Makes a folder and those above it. Not by mkdir's own recursion, which never ends where nothing can be made, as in /proc.
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unlessMissing } from './missing-file.js'

const isFolder = async (path: string): Promise<boolean> => (await unlessMissing(stat(path)))?.isDirectory() === true

/** For this user alone; rejects if something else has the name, or nothing can be made there. */
export const makeFolder = async (directory: string): Promise<void> => {
  if (await isFolder(directory)) return
  await makeFolder(dirname(directory))
  await mkdir(directory, { mode: 0o700 }).catch(async (error: unknown) => {
    // another process may have been faster
    if (!(await isFolder(directory))) throw error
  })
}
