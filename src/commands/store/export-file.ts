// The destination of an export: a new file that only its owner can read, or stdout.
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { FileFailed } from './failure.js'

export interface ExportFile {
  readonly write: (text: string) => TaskEither<FileFailed, void>
  /** Syncs everything written to disk. */
  readonly finish: TaskEither<FileFailed, void>
  /** Removes what was written, if possible. */
  readonly discard: Task<void>
}

const failed =
  (file: string) =>
  (error: unknown): FileFailed => {
    const isThere = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    return { _tag: 'FileFailed', file, reason: isThere ? 'exists already' : E.toError(error).message }
  }

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

/** Never overwrites a file, which may be another export: `FileFailed` if it exists. */
const newFile = (path: string): TaskEither<FileFailed, ExportFile> =>
  TE.tryCatch(async () => {
    const file = await open(path, 'wx', 0o600)
    return {
      write: (text) => TE.tryCatch(() => file.appendFile(text), failed(path)),
      finish: TE.tryCatch(async () => {
        await file.sync()
        await file.close()
        await syncFolder(dirname(path))
      }, failed(path)),
      // a failure here must not hide why the export failed
      discard: async () => {
        await file.close().catch(() => {})
        await rm(path).catch(() => {})
      },
    }
  }, failed(path))

const writeToStdout = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    // the callback comes once the reader has made room
    process.stdout.write(text, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })

const stdout: ExportFile = {
  write: (text) => TE.tryCatch(() => writeToStdout(text), failed('stdout')),
  finish: TE.right(undefined),
  discard: async () => {},
}

export const openExportFile = (path: string | undefined): TaskEither<FileFailed, ExportFile> => {
  if (path !== undefined) return newFile(path)
  // a closed pipe also fails the next write, which reports it
  process.stdout.on('error', () => {})
  return TE.right(stdout)
}
