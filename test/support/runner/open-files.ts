// The files that this process has open.
import { readdirSync, readlinkSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect } from 'vitest'

/** A closed database of SQLite keeps its files until its statements are collected: its interface cannot end them. */
export const collectGarbage = (): void => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
}

/** The paths of the files that this process has open. */
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

/** Until this process has no file of the folder open any more, whose stores are closed. */
export const filesReleased = (folder: string): Promise<void> =>
  expect
    .poll(() => {
      collectGarbage()
      return openFiles().filter((path) => path.startsWith(folder))
    })
    .toStrictEqual([])
