// The failures of commands on a store, and their messages.
import { toError } from 'fp-ts/lib/Either.js'
import type { BadExport } from '../../domain/archive/import-store.js'
import type { ApiKeyNotFound, ApiKeyReplaced, Unavailable, ValidationFailed } from '../../domain/errors.js'

/** A file cannot be read or written. */
export interface FileFailed {
  readonly _tag: 'FileFailed'
  readonly file: string
  readonly reason: string
}

/** An import stopped half way. */
export interface ImportStopped {
  readonly _tag: 'ImportStopped'
  readonly because: Unavailable | BadExport
}

export type Failure =
  | ValidationFailed
  | ApiKeyNotFound
  | ApiKeyReplaced
  | FileFailed
  | ImportStopped
  | BadExport
  | Unavailable

/** Why no command but `serve` reaches the memory store. */
export const MEMORY_UNREACHABLE =
  'STORE=memory keeps everything inside the serving process; no other command can reach it'

export const noStoreIn = (folder: string): string =>
  `there is no store in ${folder}: set DATA_DIR to the folder of the running service`

/** `variable` is the setting that names the store. */
export const explain = (failure: Failure, variable: string): string => {
  switch (failure._tag) {
    case 'ValidationFailed':
      return failure.faults.map(({ pointer, reason }) => `${pointer.replace('/', '--')}: ${reason}`).join('; ')
    case 'ApiKeyNotFound':
      return `there is no live key with the id ${failure.id}`
    case 'ApiKeyReplaced':
      return `the key ${failure.id} was already replaced by ${failure.successor}; rotate that one`
    case 'FileFailed':
      return `${failure.file}: ${failure.reason}`
    case 'BadExport':
      return `line ${failure.line}: ${failure.reason}`
    case 'ImportStopped':
      return `${explain(failure.because, variable)}; all lines before that are imported, and a second import skips them`
    case 'Unavailable':
      return `the store of ${variable} cannot be used: ${toError(failure.cause).message}`
  }
}
