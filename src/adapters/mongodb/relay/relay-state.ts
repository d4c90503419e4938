// The record of the relay, in one document that all instances share.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Collection } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import type { RelayState } from '../../../ports/relay-state.js'
import { isDuplicateKey } from '../connection/commands.js'
import type { StoreContext } from '../connection/connection.js'
import { damageOf } from '../documents/decoding.js'
import { RELAY } from '../schema/collections.js'

interface RelayDocument {
  readonly _id: string
  /** Earlier versions stored this member only. */
  readonly hasSent?: boolean
  readonly version?: number
}

const EVENTS = 'events'

/** `former`: the record that continues what relays of earlier versions have left; none if there were none. */
export const makeMongoRelayState = (
  { database, run, reportDamage, storage }: StoreContext,
  former: (hasSent: boolean) => TaskEither<Unavailable, O.Option<RelayRecord>>,
): RelayState => {
  const relays: Collection<RelayDocument> = database.collection(RELAY)

  /** By a write that changes nothing: it is acknowledged once everything it has read is durable. */
  const find = (): Promise<RelayDocument | null> =>
    relays.findOneAndUpdate({ _id: EVENTS }, { $unset: { unused: '' } }, { returnDocument: 'after' })

  const decodeOrThrow = (document: RelayDocument): RelayRecord => {
    const record = RelayRecord.decode(document)
    if (E.isRight(record)) return record.right
    const damage = damageOf('relay record', document)(record.left)
    reportDamage(damage)
    throw new Error(`the record of the relay cannot be decoded: ${damage.reason}`)
  }

  const save = async (record: RelayRecord): Promise<boolean> => {
    const document = RelayRecord.encode(record)
    const { version } = record
    if (version > 1) return (await relays.replaceOne({ _id: EVENTS, version: version - 1 }, document)).matchedCount > 0
    try {
      await relays.replaceOne({ _id: EVENTS, version: { $exists: false } }, document, { upsert: true })
      return true
    } catch (error) {
      // there is a record
      if (isDuplicateKey(error)) return false
      throw error
    }
  }

  const load: RelayState['load'] = async () => {
    const found = await run(async () => {
      const document = await find()
      return document?.version === undefined
        ? { hasSent: document?.hasSent === true }
        : { hasSent: true, record: decodeOrThrow(document) }
    })()
    if (E.isLeft(found)) return found
    const { hasSent, record } = found.right
    if (record !== undefined) return E.right(O.some(record))
    const first = await former(hasSent)()
    if (E.isLeft(first) || O.isNone(first.right)) return first
    const { value } = first.right
    const isSaved = await run(() => save(value))()
    return E.isLeft(isSaved) ? isSaved : load()
  }

  return { storage, load, save: (record) => run(() => save(record)) }
}
