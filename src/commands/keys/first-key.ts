// The first key of a store that has none: created at the first start and printed once, or left to the operator.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nodeCrypto } from '../../adapters/node/system.js'
import type { ServiceLog } from '../../composition/service-log.js'
import type { Config } from '../../config/config.js'
import { SCOPES } from '../../domain/api-keys/api-key.js'
import { type IssuedApiKey, issueFirstApiKey } from '../../domain/api-keys/create-api-key.js'
import { asError } from '../../domain/thrown.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Output } from '../command.js'
import { logAudit } from './key-text.js'

interface FirstKeySettings {
  readonly kind: Config['store']['_tag']
  /** The address of the service, with `/v1`. */
  readonly url: string
  readonly signal: AbortSignal
  readonly clock: Clock
  /** Between two attempts while the database is unavailable. */
  readonly retryMs: number
}

/** How the first key is announced, and how the operator gets another if it could not be. */
interface FirstKey {
  readonly heading: string
  readonly remedy: string
}

/** Undefined: several instances may start at once, and a collector of their output would store the key. */
const FIRST_KEY: Readonly<Record<FirstKeySettings['kind'], FirstKey | undefined>> = {
  memory: {
    heading: 'API key (gone when this process ends)',
    remedy: 'start the service again, with a stderr that can be written',
  },
  embedded: { heading: 'API key (shown this once)', remedy: 'create a key with animal-store keys create' },
  mongodb: undefined,
}

type Log = Omit<ServiceLog, 'request'>

/** Whether the store has no key; retries while it is unavailable. False if it was aborted. */
const isWithoutKeys = async (apiKeys: ApiKeyStore, { signal, retryMs }: FirstKeySettings): Promise<boolean> => {
  while (!signal.aborted) {
    const keys = await apiKeys.list()
    if (E.isRight(keys)) return keys.right.length === 0
    // rejects only when it is aborted
    await pause(retryMs, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return false
}

/** Revokes a key that nobody saw, as `keys create` does: it would stay valid for ever. The log has the reason and the remedy. */
const withdraw = async (
  apiKeys: ApiKeyStore,
  clock: Clock,
  log: Log,
  { key }: IssuedApiKey,
  details: { readonly err: Error; readonly remedy: string },
): Promise<void> => {
  const revoked = await apiKeys.change(key.id, { revokedAt: O.some(clock.now()) })()
  if (E.isRight(revoked)) {
    logAudit(log, { message: 'key revoked', key })
    log.error(details, 'the first key was revoked, because it could not be shown')
  } else {
    const remedy = `revoke the key with animal-store keys revoke ${key.id}; ${details.remedy}`
    log.error({ ...details, remedy }, 'the first key could not be shown, and may be valid')
  }
}

/** Creates the first key if the store belongs to this process alone, or says how to create one. Only `output` shows the key. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  settings: FirstKeySettings,
  log: Log,
  output: Pick<Output, 'notice'>,
): Promise<void> => {
  const { kind, url, clock } = settings
  const issue = async ({ heading, remedy }: FirstKey): Promise<void> => {
    const create = issueFirstApiKey({ apiKeys, clock, crypto: nodeCrypto })
    const issued = await create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })()
    if (E.isLeft(issued)) log.error({ err: issued.left.cause }, 'the first key could not be created')
    else if (O.isSome(issued.right)) {
      const { key, text } = issued.right.value
      logAudit(log, { message: 'key created', key })
      const notice = `${heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${url}/pets`
      const shown = await TE.tryCatch(() => output.notice(notice), asError)()
      if (E.isLeft(shown)) await withdraw(apiKeys, clock, log, issued.right.value, { err: shown.left, remedy })
    }
  }
  const first = FIRST_KEY[kind]
  if (first !== undefined) return issue(first)
  if (await isWithoutKeys(apiKeys, settings)) {
    log.warn({ command: 'animal-store keys create' }, 'no API key yet: the command creates one')
  }
}
