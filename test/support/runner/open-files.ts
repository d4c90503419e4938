import { readdirSync, readlinkSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'

/** SQLite keeps the files of a closed database until its statements are collected; no call ends them. */
export const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
}

export const openFiles = (): readonly string[] => {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${name}`)
      return path.startsWith('/') && !path.startsWith('/dev/') ? [path] : []
    } catch {
      // the folder that was just listed
      return []
    }
  })
}

/** Waits until this process has no file of the folder open; the stores in it must be closed. */
export const filesReleased = (folder: string): Promise<void> =>
  expect
    .poll(() => {
      collectGarbage()
      return openFiles().filter((path) => path.startsWith(folder))
    })
    .toStrictEqual([])
