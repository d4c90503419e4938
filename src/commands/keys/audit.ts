// Audit lines about changes of API keys, without the key itself.
import * as O from 'fp-ts/lib/Option.js'
import type { ApiKey } from '../../domain/api-keys/api-key.js'
import { instantText } from '../../domain/codecs/instant.js'

export interface AuditEntry {
  readonly message: 'key created' | 'key rotated' | 'key revoked'
  readonly details: Readonly<Record<string, unknown>>
}

const keyDetails = ({ id, name, scopes, expiresAt }: ApiKey) => ({
  keyId: id,
  ...(O.isSome(name) && { keyName: name.value }),
  scopes,
  ...(O.isSome(expiresAt) && { expiresAt: instantText(expiresAt.value) }),
})

export const keyCreated = (key: ApiKey): AuditEntry => ({ message: 'key created', details: keyDetails(key) })

export const keyRotated = (oldId: string, successor: ApiKey, overlapMs: number): AuditEntry => ({
  message: 'key rotated',
  details: { ...keyDetails(successor), replaces: oldId, overlapSeconds: overlapMs / 1_000 },
})

export const keyRevoked = (key: ApiKey): AuditEntry => ({ message: 'key revoked', details: keyDetails(key) })

/** The part of pino's logger that is used here. */
interface InfoLog {
  readonly info: (details: object, message: string) => void
}

export const logAudit = (log: InfoLog, { message, details }: AuditEntry): void =>
  log.info({ audit: true, ...details }, message)
