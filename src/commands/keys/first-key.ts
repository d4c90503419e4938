// The first key of a store that has none: created at the first start and printed once, or left to the operator.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto } from '../../adapters/node/system.js'
import type { ServiceLog } from '../../composition/service-log.js'
import type { Config } from '../../config/config.js'
import { SCOPES } from '../../domain/api-keys/api-key.js'
import { issueFirstApiKey } from '../../domain/api-keys/create-api-key.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'
import type { Clock } from '../../ports/clock.js'
import type { Output } from '../command.js'
import { keyCreated, logAudit } from './key-text.js'

interface FirstKeySettings {
  readonly kind: Config['store']['_tag']
  /** The address of the service, with `/v1`. */
  readonly url: string
  /** Aborts the look-up. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Between two attempts while the database is unavailable. */
const RETRY_MS = 2_000

/** Whether the store has no key; retries while it is unavailable. Undefined if it was aborted. */
const isWithoutKeys = async (apiKeys: ApiKeyStore, signal: AbortSignal): Promise<boolean | undefined> => {
  while (!signal.aborted) {
    const keys = await apiKeys.list()
    if (E.isRight(keys)) return keys.right.length === 0
    await pause(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
  return undefined
}

/** Creates the first key if the store belongs to this process alone, or says how to create one. Only `output` shows the key. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  { kind, url, signal, clock }: FirstKeySettings,
  log: Omit<ServiceLog, 'request'>,
  output: Pick<Output, 'message'>,
): Promise<void> => {
  const issue = async (heading: string): Promise<void> => {
    const create = issueFirstApiKey({ apiKeys, clock, crypto: nodeCrypto })
    const issued = await create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })()
    if (E.isLeft(issued)) log.error({ err: issued.left.cause }, 'the first key could not be created')
    else if (O.isSome(issued.right)) {
      const { key, text } = issued.right.value
      output.message(`${heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${url}/pets`)
      logAudit(log, keyCreated(key))
    }
  }
  switch (kind) {
    case 'memory':
      return issue('API key (gone when this process ends)')
    case 'embedded':
      return issue('API key (shown this once)')
    case 'mongodb':
      // several instances may start at once, and a collector of their output would store the key
      if (await isWithoutKeys(apiKeys, signal)) {
        log.warn({ command: 'animal-store keys create' }, 'no API key yet: the command creates one')
      }
  }
}
