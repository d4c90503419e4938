// How the binding is opened: the same way for service, commands, backups and verification.
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { MAX_TABLES } from '../tables/tables.js'

export type Root = RootDatabase<Buffer, string>

/** The mode of new files: an option of the binding that its types do not declare. */
interface Permissions {
  readonly permissionsMode: number
}

/** With `readOnly`, LMDB changes nothing in the data file, and does without a lock file where it cannot make one. */
export const openRoot = (directory: string, { readOnly }: { readonly readOnly: boolean }): Root => {
  const options: RootDatabaseOptionsWithPath & Permissions = {
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    maxDbs: MAX_TABLES,
    // a commit is synced when it resolves; with overlapping sync it would be durable only later
    overlappingSync: false,
    // we group writes ourselves: the binding's batches leave an unhandled rejection behind when a commit fails
    eventTurnBatching: false,
    permissionsMode: 0o600,
    readOnly,
  }
  return open<Buffer, string>(options)
}
