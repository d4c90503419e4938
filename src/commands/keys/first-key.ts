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
import { logAudit } from './key-text.js'

interface FirstKeySettings {
  readonly kind: Config['store']['_tag']
  /** The address of the service, with `/v1`. */
  readonly url: string
  readonly signal: AbortSignal
  readonly clock: Clock
}

/** Undefined: several instances may start at once, and a collector of their output would store the key. */
const HEADINGS: Readonly<Record<FirstKeySettings['kind'], string | undefined>> = {
  memory: 'API key (gone when this process ends)',
  embedded: 'API key (shown this once)',
  mongodb: undefined,
}

type Log = Omit<ServiceLog, 'request'>

/** A key that cannot be shown is revoked, as `keys create` does: nobody has it, and it would stay valid for ever. */
const issueKey = async (
  apiKeys: ApiKeyStore,
  heading: string,
  { url, clock }: FirstKeySettings,
  log: Log,
  output: Pick<Output, 'notice'>,
): Promise<void> => {
  const create = issueFirstApiKey({ apiKeys, clock, crypto: nodeCrypto })
  const issued = await create({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })()
  if (E.isLeft(issued)) {
    log.error({ err: issued.left.cause }, 'the first key could not be created')
    return
  }
  if (O.isNone(issued.right)) return
  const { key, text } = issued.right.value
  logAudit(log, { message: 'key created', key })
  const notice = `${heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${url}/pets`
  const shown = await TE.tryCatch(() => output.notice(notice), asError)()
  if (E.isRight(shown)) return
  const revoked = await apiKeys.change(key.id, { revokedAt: O.some(clock.now()) })()
  if (E.isRight(revoked)) logAudit(log, { message: 'key revoked', key })
  const state = E.isRight(revoked) ? 'was revoked' : 'may be valid'
  log.error({ err: shown.left, keyId: key.id }, `the first key could not be shown and ${state}: create another one`)
}

/** Creates the first key if the store belongs to this process alone, or says how to create one. Only `output` shows the key. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  settings: FirstKeySettings,
  log: Log,
  output: Pick<Output, 'notice'>,
): Promise<void> => {
  const heading = HEADINGS[settings.kind]
  if (heading !== undefined) return issueKey(apiKeys, heading, settings, log, output)
  const keys = await readWhenAvailable(() => apiKeys.list(), settings.signal)
  if (keys?.length === 0) {
    log.warn({ command: 'animal-store keys create' }, 'no API key yet: the command creates one')
  }
}
