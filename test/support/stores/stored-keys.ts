// The API keys of the stores in test/fixtures/stored.
import * as O from 'fp-ts/lib/Option.js'
import { nodeCrypto } from '../../../src/adapters/node/system.js'
import type { ApiKey } from '../../../src/domain/api-keys/api-key.js'
import { anyApiKey } from '../../../src/testing/samples.js'

export const HOUR_MS = 3_600_000
export const START = Date.UTC(2026, 0, 1)

/** Test keys, made for these fixtures only. */
export const texts = {
  live: 'ast_live_C0ZN1DOw8NA_0uxXSlYrrvNzk7Oncnh21MZd3rT6d1pvgDtKzAb8EYt15jPBu',
  unnamed: 'ast_live_7U0SzpBH53b_KrfupgDo3dSAFaBBeGbvyDlBPJqcT5yzEiq4FF5qI3k4eHD2W',
  expiring: 'ast_live_3vUvovy05al_jptZxMaoWRbE4zmd0LW0nuNAg480vqUKEs8kNGvLTwF1J0oRN',
  expired: 'ast_live_3Wl92R4VV0h_uFY5yQDSyTtrA9BIqgW69XWF9yccGcYYYYgIV7w1AgX2yhL9L',
  revoked: 'ast_live_7GGa7I0ulVf_t0LU1geq6w77ku43pckS7Bb6UjwPVrF4IBDkazvnKgC1Yz46Z',
  rotated: 'ast_live_JrdaeVypyqs_pazWTJoPiWnlrgISXflsZyHz5bFLG18SamqWYbhR2eO0wFb5X',
  successor: 'ast_live_HdDLnfosFIK_pL8T7Pj8blvo1PpmaPxxr2wh4TYCoa2vF8Ka5GNRiOl2lZITu',
} as const
export const idIn = (text: string): string => text.slice(9, 20)

const apiKey = (text: string, createdAt: number, members: Partial<ApiKey> = {}): ApiKey => ({
  ...anyApiKey,
  id: idIn(text),
  // all that there were: a stored key gets no scope that came later
  scopes: ['pets:read', 'pets:write', 'orders:read'],
  hash: nodeCrypto.sha256(text),
  createdAt,
  // the fixtures are older than lineages: each key starts its own
  lineage: idIn(text),
  ...members,
})

/** Oldest first. */
export const apiKeys: readonly ApiKey[] = [
  apiKey(texts.unnamed, START, { scopes: ['orders:read'] }),
  apiKey(texts.live, START, { name: O.some('live "caf\u00e9" \u{1f436}'), lastUsedAt: O.some(START + 1_001) }),
  apiKey(texts.expired, START + 1, { name: O.some('expired'), expiresAt: O.some(START + 1 + HOUR_MS) }),
  apiKey(texts.expiring, START + 1, {
    name: O.some('expiring'),
    scopes: ['pets:read'],
    expiresAt: O.some(START + 1 + 720 * HOUR_MS),
  }),
  apiKey(texts.revoked, START + 1, { name: O.some('revoked'), revokedAt: O.some(START + 1_001) }),
  apiKey(texts.rotated, START + 1, {
    name: O.some('rotated'),
    expiresAt: O.some(START + 84 * HOUR_MS),
    successor: O.some(idIn(texts.successor)),
  }),
  apiKey(texts.successor, START + 60 * HOUR_MS, {
    name: O.some('rotated'),
    expiresAt: O.some(START + 2_220 * HOUR_MS),
  }),
]
