// Bare write commands. The driver's bulk operations wrap a network error into one that looks like a refusal.
import { type Db, type Document, MongoServerError } from 'mongodb'

export interface WriteError {
  readonly index: number
  readonly code: number
  readonly errmsg: string
}

interface WriteReply {
  readonly writeErrors?: readonly WriteError[]
  readonly writeConcernError?: { readonly errmsg: string }
}

/** Runs an insert, update or delete; returns the errors of the statements that the server refused. */
export const runWrite = async (database: Db, command: Document): Promise<readonly WriteError[]> => {
  const reply: WriteReply = await database.command({
    ...command,
    ordered: false,
    writeConcern: { w: 'majority', j: true },
  })
  // written, but a crash may undo it: no statement counts as a success
  if (reply.writeConcernError !== undefined) throw new MongoServerError({ ...reply.writeConcernError })
  return reply.writeErrors ?? []
}
