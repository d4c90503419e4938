// The state of the relay, in one document: `events`.
import type { Collection, Db } from 'mongodb'
import { isDuplicateKey } from '../connection/duplicate-key.js'
import { RELAY } from '../schema/collections.js'

interface RelayDocument {
  readonly _id: 'events'
  readonly hasSent?: boolean
}

const relayOf = (database: Db): Collection<RelayDocument> => database.collection<RelayDocument>(RELAY)

/** Whether any event was ever sent. */
export const hasSent = async (database: Db): Promise<boolean> =>
  (await relayOf(database).findOne({ _id: 'events' }))?.hasSent === true

/** Records that an event was sent. Safe to repeat. */
export const noteSent = async (database: Db): Promise<void> => {
  try {
    await relayOf(database).updateOne({ _id: 'events' }, { $set: { hasSent: true } }, { upsert: true })
  } catch (error) {
    // another instance upserted the same content at the same time
    if (!isDuplicateKey(error)) throw error
  }
}
