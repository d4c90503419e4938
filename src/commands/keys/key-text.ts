// API keys as output and as audit lines. The key itself is printed only when it is created.
import * as O from 'fp-ts/lib/Option.js'
import type { ServiceLog } from '../../composition/service-log.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import type { IssuedApiKey } from '../../domain/api-keys/create-api-key.js'
import { instantText } from '../../domain/codecs/scalar.js'

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

/** To the minute; `lastUsedAt` is up to an hour old anyway. */
const minutes = (time: string | null, absent: string): string => (time === null ? absent : `${time.slice(0, 16)}Z`)

const COLUMNS = ['id', 'name', 'scopes', 'created', 'valid until', 'last used (within 1 h)']

const cellsOf = (key: ApiKey): readonly string[] => {
  const { id, name, scopes, createdAt, expiresAt, revokedAt, lastUsedAt } = keyView(key)
  const valid = revokedAt === null ? minutes(expiresAt, 'no expiry') : `revoked ${minutes(revokedAt, '')}`
  return [id, name ?? '-', scopes.join(','), minutes(createdAt, ''), valid, minutes(lastUsedAt, 'never')]
}

/** A header and a line per key, in columns, for people; nothing without keys. */
export const keyTable = (keys: readonly ApiKey[]): readonly string[] => {
  if (keys.length === 0) return []
  const rows = [COLUMNS, ...keys.map(cellsOf)]
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

export interface AuditEntry {
  readonly message: 'key created' | 'key rotated' | 'key revoked' | 'keys pruned'
  /** Absent if the entry is about several. */
  readonly key?: ApiKey
  readonly details?: Readonly<Record<string, unknown>>
}

const keyDetails = ({ id, name, scopes, expiresAt }: ApiKey) => ({
  keyId: id,
  ...(O.isSome(name) && { keyName: name.value }),
  scopes,
  ...(O.isSome(expiresAt) && { expiresAt: instantText(expiresAt.value) }),
})

export const logAudit = (log: Pick<ServiceLog, 'info'>, { message, key, details }: AuditEntry): void =>
  log.info({ audit: true, ...(key && keyDetails(key)), ...details }, message)
