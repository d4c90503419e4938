// The first key of a store that has none: created at the first start and printed once, or left to the operator.
import { setTimeout as pause } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto } from '../../adapters/node/system.js'
import type { Config } from '../../config/config.js'
import { type ApiKey, SCOPES } from '../../domain/api-keys/api-key.js'
import { issueFirstApiKey } from '../../domain/api-keys/create-api-key.js'
import type { ApiKeyStore } from '../../ports/api-key-store.js'
import type { Clock } from '../../ports/clock.js'

interface FirstKeySettings {
  readonly kind: Config['store']['_tag']
  /** The address of the service, with `/v1`. */
  readonly url: string
  /** Aborts the look-up. */
  readonly signal: AbortSignal
  readonly clock: Clock
}

interface FirstKeyEvents {
  /** `text` is for people, and the only output that shows the key. */
  readonly created: (first: { readonly key: ApiKey; readonly text: string }) => void
  /** The store has no key, and only an operator can create one. */
  readonly missing: (command: string) => void
  readonly failed: (cause: unknown) => void
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

/** Creates the first key if the store belongs to this process alone, or says how to create one. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  { kind, url, signal, clock }: FirstKeySettings,
  { created, missing, failed }: FirstKeyEvents,
): Promise<void> => {
  const issue = async (heading: string): Promise<void> => {
    const create = issueFirstApiKey({ apiKeys, clock, crypto: nodeCrypto })
    const issued = await create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })()
    if (E.isLeft(issued)) {
      failed(issued.left.cause)
      return
    }
    if (O.isNone(issued.right)) return
    const { key, text } = issued.right.value
    created({ key, text: `${heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${url}/pets` })
  }
  switch (kind) {
    case 'memory':
      return issue('API key (gone when this process ends)')
    case 'embedded':
      return issue('API key (shown this once)')
    case 'mongodb':
      // several instances may start at once, and a collector of their output would store the key
      if (await isWithoutKeys(apiKeys, signal)) missing('animal-store keys create')
  }
}
