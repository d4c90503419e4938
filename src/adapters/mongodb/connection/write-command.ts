// Bare write commands. The driver's bulk operations wrap a network error into one that looks like a refusal.
import { type Db, type Document, MongoServerError } from 'mongodb'
import { DUPLICATE_KEY } from './duplicate-key.js'

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

/** Runs such a command; returns the indexes of the statements that a unique index refused, and throws any other error. */
export const writeUnlessTaken = async (database: Db, command: Document): Promise<ReadonlySet<number>> => {
  const errors = await runWrite(database, command)
  const unexpected = errors.find(({ code }) => code !== DUPLICATE_KEY)
  if (unexpected !== undefined) throw new MongoServerError({ ...unexpected })
  return new Set(errors.map(({ index }) => index))
}
