// The record of the relay, in one document that all instances share.
import * as O from 'fp-ts/lib/Option.js'
import type { Document } from 'mongodb'
import { RelayRecord } from '../../domain/events/relay-record.js'
import type { RelayState } from '../../ports/event-log.js'
import { ifDuplicateKey } from './connection/commands.js'
import type { StoreContext } from './connection/connection.js'
import { decodeAs, soundOrThrow } from './documents/decoding.js'

const EVENTS = 'events'

const decode = decodeAs('relay record', RelayRecord)

export const makeMongoRelayState = ({ database, run, reportDamage, storage }: StoreContext): RelayState => {
  const relays = database.collection<Document & { readonly _id: string }>('relay')

  const sound = soundOrThrow(reportDamage)

  const load = async (): Promise<O.Option<RelayRecord>> => {
    // a write that changes nothing: it is acknowledged once everything it has read is durable
    const document = await relays.findOneAndUpdate(
      { _id: EVENTS },
      { $unset: { unused: '' } },
      { returnDocument: 'after' },
    )
    return document === null ? O.none : O.some(sound(decode(document)))
  }

  const save = async (record: RelayRecord): Promise<boolean> => {
    const document = RelayRecord.encode(record)
    const { version } = record
    if (version > 1) return (await relays.replaceOne({ _id: EVENTS, version: version - 1 }, document)).matchedCount > 0
    const unused = { _id: EVENTS, version: { $exists: false } }
    const added = relays.replaceOne(unused, document, { upsert: true }).then(() => true)
    // false: there is a record
    return added.catch(ifDuplicateKey(false))
  }

  return { storage, load: run(load), save: (record) => run(() => save(record)) }
}
