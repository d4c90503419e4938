// The record of the relay, in one document that all instances share.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Collection, Db, Document } from 'mongodb'
import type { Unavailable } from '../../../domain/errors.js'
import { RelayRecord } from '../../../domain/events/relay-record.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { RelayState } from '../../../ports/relay-state.js'
import type { OfStorage } from '../../../ports/storage.js'
import type { Run } from '../connection/connection.js'
import { isDuplicateKey } from '../connection/duplicate-key.js'
import { damageOf } from '../documents/decoding.js'
import { RELAY } from '../schema/collections.js'

interface RelayDocument extends Document {
  readonly _id: string
  /** Earlier versions stored this member only. */
  readonly hasSent?: boolean
  readonly version?: number
}

const EVENTS = 'events'

export interface MongoRelayStateSettings extends OfStorage {
  readonly database: Db
  readonly run: Run
  /** The record that continues what relays of earlier versions have left; none if there were none. */
  readonly former: (hasSent: boolean) => TE.TaskEither<Unavailable, O.Option<RelayRecord>>
  readonly reportDamage: ReportDamage
}

export const makeMongoRelayState = (settings: MongoRelayStateSettings): RelayState => {
  const { database, run, former, reportDamage, storage } = settings
  const relays: Collection<RelayDocument> = database.collection(RELAY)

  /** By a write that changes nothing: it is acknowledged once everything it has read is durable. */
  const find = (): Promise<RelayDocument | null> =>
    relays.findOneAndUpdate({ _id: EVENTS }, { $unset: { unused: '' } }, { returnDocument: 'after' })

  const decode = (document: RelayDocument): RelayRecord =>
    pipe(
      RelayRecord.decode(document),
      E.mapLeft(damageOf('relay record', document)),
      E.getOrElse((damage): RelayRecord => {
        reportDamage(damage)
        throw new Error(`the record of the relay cannot be decoded: ${damage.reason}`)
      }),
    )

  const save = async (record: RelayRecord): Promise<boolean> => {
    const { holder, attempts, version, ...members } = RelayRecord.encode(record)
    const absent = { ...(holder === undefined && { holder: '' }), ...(attempts === undefined && { attempts: '' }) }
    const update = {
      $set: {
        ...members,
        version,
        ...(holder !== undefined && { holder }),
        ...(attempts !== undefined && { attempts }),
      },
      ...(Object.keys(absent).length > 0 && { $unset: absent }),
    }
    if (version > 1) return (await relays.updateOne({ _id: EVENTS, version: version - 1 }, update)).matchedCount > 0
    try {
      await relays.updateOne({ _id: EVENTS, version: { $exists: false } }, update, { upsert: true })
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
        : { hasSent: true, record: decode(document) }
    })()
    if (E.isLeft(found)) return found
    const { hasSent, record } = found.right
    if (record !== undefined) return E.right(O.some(record))
    const first = await former(hasSent)()
    if (E.isLeft(first) || O.isNone(first.right)) return first
    const { value } = first.right
    const isSaved = await run(() => save(value))()
    if (E.isLeft(isSaved)) return isSaved
    return load()
  }

  return { storage, load, save: (record) => run(() => save(record)) }
}
