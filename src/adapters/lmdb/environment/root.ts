// Opens the binding in the same way for the service, commands, backups and verification.
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb'
import { MAX_TABLES } from '../tables/tables.js'

export type Root = RootDatabase<Buffer, string>

/** The mode of new files, an option that the binding's types do not declare. */
interface Permissions {
  readonly permissionsMode: number
}

/** With `readOnly`, LMDB does not change the data file, and works without a lock file if it cannot create one. */
export const openRoot = (directory: string, { readOnly }: { readonly readOnly: boolean }): Root => {
  const options: RootDatabaseOptionsWithPath & Permissions = {
    path: directory,
    noSubdir: false,
    encoding: 'binary',
    maxDbs: MAX_TABLES,
    // with overlapping sync, a commit would be answered, and its events read from the log, before a crash can no longer undo it
    overlappingSync: false,
    // we group writes ourselves: the binding's batches leave an unhandled rejection behind when a commit fails
    eventTurnBatching: false,
    permissionsMode: 0o600,
    readOnly,
  }
  return open<Buffer, string>(options)
}
