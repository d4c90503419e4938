// The first key of a store that has none: created at the first start and printed once, or left to the operator.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nodeCrypto } from '../../adapters/node/system.js'
import type { ServiceLog } from '../../composition/service-log.js'
import { readWhenAvailable } from '../../composition/start-relaying.js'
import type { Config } from '../../config/config.js'
import { SCOPES } from '../../domain/api-keys/api-key.js'
import { issueFirstApiKey } from '../../domain/api-keys/create-api-key.js'
import { asError } from '../../domain/thrown.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Output } from '../command.js'
import { logAudit } from '../store-command.js'
import { withdrawKey } from './keys.js'

interface FirstKeySettings {
  readonly kind: keyof typeof FIRST_KEYS
  /** The address of the service, with `/v1`. */
  readonly url: string
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Undefined: several instances may start at once, and a collector of their output would store the key. */
const FIRST_KEYS: Readonly<Record<Config['store']['_tag'], { heading: string; another: string } | undefined>> = {
  memory: { heading: 'API key (gone when this process ends)', another: 'restart the service to get one' },
  embedded: { heading: 'API key (shown this once)', another: 'create one with animal-store keys create' },
  mongodb: undefined,
}

/** Creates the first key if the store belongs to this process alone, or says how to create one. Only `output` shows the key. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  { kind, url, signal, clock }: FirstKeySettings,
  log: Omit<ServiceLog, 'request'>,
  output: Pick<Output, 'notice'>,
): Promise<void> => {
  const firstKey = FIRST_KEYS[kind]
  if (firstKey === undefined) {
    const keys = await readWhenAvailable(() => apiKeys.list(), signal)
    if (keys?.length === 0) log.warn({ command: 'animal-store keys create' }, 'no API key yet: the command creates one')
    return
  }
  const create = issueFirstApiKey({ apiKeys, clock, crypto: nodeCrypto })
  const issued = await create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })()
  if (E.isLeft(issued)) log.error({ err: issued.left.cause }, 'the first key could not be created')
  if (E.isLeft(issued) || O.isNone(issued.right)) return
  const { key, text } = issued.right.value
  logAudit(log, { message: 'key created', key })
  const notice = `${firstKey.heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${url}/pets`
  const shown = await TE.tryCatch(() => output.notice(notice), asError)()
  if (E.isRight(shown)) return
  const { message, audit } = await withdrawKey(key, apiKeys.change(key.id, { revokedAt: O.some(clock.now()) }))()
  if (audit !== undefined) logAudit(log, audit)
  log.error({ err: shown.left, keyId: key.id }, `${message}; ${firstKey.another}`)
}
