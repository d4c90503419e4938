// Formats API keys for output. The key itself is printed only when it is created.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type { IssuedApiKey } from '../../domain/api-keys/create-api-key.js'
import { instantText } from '../../domain/codecs/instant.js'

const text = (instant: O.Option<number>): string | null => (O.isSome(instant) ? instantText(instant.value) : null)

const common = ({ name, scopes, createdAt, expiresAt }: ApiKey) => ({
  name: O.toNullable(name),
  scopes,
  createdAt: instantText(createdAt),
  expiresAt: text(expiresAt),
})

export const issuedKeyView = ({ key, text: secret }: IssuedApiKey) => ({ id: key.id, key: secret, ...common(key) })

export const keyView = (key: ApiKey) => ({
  id: key.id,
  ...common(key),
  revokedAt: text(key.revokedAt),
  lastUsedAt: text(key.lastUsedAt),
})

/** One line per key, for people. */
export const keyLine = (key: ApiKey): string => {
  const { name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = keyView(key)
  const life = revokedAt === null ? (expiresAt === null ? 'no expiry' : `expires ${expiresAt}`) : `revoked ${revokedAt}`
  return [
    key.id,
    name ?? '-',
    scopes.join(','),
    `created ${createdAt}`,
    life,
    `last used ${lastUsedAt ?? 'never'}`,
  ].join('  ')
}
