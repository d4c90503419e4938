// Opens the configured store and event publisher, and loads only their drivers.

import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { systemClock } from '../adapters/node/system.js'
import { loadDriver } from '../adapters/sqlite/file/driver.js'
import { actAsOwnerOf } from '../adapters/sqlite/file/owner.js'
import type { SqliteStoreSettings } from '../adapters/sqlite/store.js'
import { BadConfiguration, type Config, HIDDEN, type StoreConfig } from '../config/config.js'
import { PERCENT_ENCODING } from '../config/parsers.js'
import { asError, memberOf } from '../domain/thrown.js'
import type { EventPublisher } from '../ports/event-publisher.js'
import type { ArchivedStore, Store } from '../ports/store.js'
import { logNotify, type ServiceLog } from './service-log.js'

/** Throws `BadConfiguration` if there is no SQLite for the embedded store. */
export const needSqlite = (): void => {
  try {
    loadDriver()
  } catch (error) {
    throw new BadConfiguration(`STORE: got "embedded", wanted ${asError(error).message}`)
  }
}

/** Throws `BadConfiguration`, naming the variable, if the MongoDB driver refuses the URI. */
export const fromMongodbUri = <A>({ mongodbVariable }: Pick<Config, 'mongodbVariable'>, make: () => A): A => {
  try {
    return make()
  } catch (error) {
    const problem = `${mongodbVariable}: got ${HIDDEN}, wanted another: ${asError(error).message}`
    throw new BadConfiguration(`${problem}; ${PERCENT_ENCODING}`)
  }
}

/** The folder of an embedded store that does not exist yet. */
export const missingStoreFolder = async ({ store }: Config): Promise<string | undefined> => {
  if (store._tag !== 'embedded') return undefined
  const { holdsTraces } = await import('../adapters/sqlite/file/folder.js')
  return holdsTraces(store.directory) ? undefined : resolve(store.directory)
}

type Opening = Omit<SqliteStoreSettings, 'directory'>

/** Rejects with `BadConfiguration`, before opening anything, if SQLite is missing or the driver refuses the URI. */
export const openSharedStore = async (
  config: Config,
  store: Exclude<StoreConfig, { readonly _tag: 'memory' }>,
  opening: Opening,
): Promise<ArchivedStore> => {
  if (store._tag === 'mongodb') {
    const { makeMongoStore } = await import('../adapters/mongodb/store.js')
    return fromMongodbUri(config, () => makeMongoStore({ uri: store.uri, ...opening }))
  }
  needSqlite()
  actAsOwnerOf(store.directory)
  const { openSqliteStore } = await import('../adapters/sqlite/store.js')
  const opened = await openSqliteStore({ directory: store.directory, ...opening })()
  if (E.isLeft(opened)) throw asError(opened.left.cause)
  return opened.right
}

/** Without the file, the driver would connect without credentials. */
const checkCredentials = (path: string): void => {
  try {
    accessSync(path, constants.R_OK)
  } catch (error) {
    throw new BadConfiguration(
      `EVENTS_URL: got ${HIDDEN}, wanted a readable file in creds: ${String(memberOf(error, 'code'))}`,
    )
  }
}

/**
 * The configured publisher, if any; it connects on demand. `source` is the public base address. Rejects with
 * `BadConfiguration` if the configured file of credentials cannot be read.
 */
export const preparePublisher = async ({
  events,
  eventsTypePrefix: typePrefix,
}: Pick<Config, 'events' | 'eventsTypePrefix'>): Promise<
  ((source: string, store: Pick<Store, 'relay'>, log: ServiceLog) => EventPublisher) | undefined
> => {
  if (events === undefined) return undefined
  if (events._tag === 'Webhook') {
    const { makeWebhookPublisher } = await import('../adapters/webhook/event-publisher.js')
    return (source) => makeWebhookPublisher(events, { source, typePrefix, clock: systemClock })
  }
  if (events.credentialsFile !== undefined) checkCredentials(events.credentialsFile)
  const { makeNatsPublisher } = await import('../adapters/nats/event-publisher.js')
  return (source, { relay }, log) => {
    const hasSent = pipe(relay.load, TE.map(O.exists(({ hasSent }) => hasSent)))
    return makeNatsPublisher(events, { source, typePrefix, hasSent }, logNotify(log))
  }
}
