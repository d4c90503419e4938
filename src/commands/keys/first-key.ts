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

/** How the first key is announced. Undefined: several instances may start at once, and a collector of their output would store the key. */
const FIRST_KEY: Readonly<Record<FirstKeySettings['kind'], string | undefined>> = {
  memory: 'API key (gone when this process ends)',
  embedded: 'API key (shown this once)',
  mongodb: undefined,
}

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

/** Creates the first key if the store belongs to this process alone, or says how to create one. Only `output` shows the key. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  settings: FirstKeySettings,
  log: Omit<ServiceLog, 'request'>,
  output: Pick<Output, 'message'>,
): Promise<void> => {
  const { kind, url, clock } = settings
  const issue = async (heading: string): Promise<void> => {
    const create = issueFirstApiKey({ apiKeys, clock, crypto: nodeCrypto })
    const issued = await create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })()
    if (E.isLeft(issued)) log.error({ err: issued.left.cause }, 'the first key could not be created')
    else if (O.isSome(issued.right)) {
      const { key, text } = issued.right.value
      output.message(`${heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${url}/pets`)
      logAudit(log, { message: 'key created', key })
    }
  }
  const heading = FIRST_KEY[kind]
  if (heading !== undefined) return issue(heading)
  if (await isWithoutKeys(apiKeys, settings)) {
    log.warn({ command: 'animal-store keys create' }, 'no API key yet: the command creates one')
  }
}
