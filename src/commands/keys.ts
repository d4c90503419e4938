// animal-store keys create | list | rotate | revoke | prune
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nodeCrypto } from '../adapters/node/system.js'
import { type ApiKey, SCOPES, Scope } from '../domain/api-keys/api-key.js'
import { mayHoldSecret } from '../domain/api-keys/api-key-text.js'
import { createApiKey, type IssuedApiKey } from '../domain/api-keys/create-api-key.js'
import { findApiKey, pruneApiKeys, revokeApiKey, rotateApiKey } from '../domain/api-keys/end-api-key.js'
import { instantText } from '../domain/codecs/scalar.js'
import { PetName } from '../domain/pets/pet.js'
import type { Ports } from '../ports/index.js'
import { type Arguments, counted, parseDuration, parseKeyId, refuse, table } from './command.js'
import { type AuditEntry, type Result, storeCommand } from './store-command.js'

const textOf = O.match(() => null, instantText)

const common = ({ name, scopes, createdAt, expiresAt }: ApiKey) => ({
  name: O.toNullable(name),
  scopes,
  createdAt: instantText(createdAt),
  expiresAt: textOf(expiresAt),
})

const keyView = (key: ApiKey) => ({
  id: key.id,
  ...common(key),
  revokedAt: textOf(key.revokedAt),
  lastUsedAt: textOf(key.lastUsedAt),
})

const scopesOf = (args: Arguments): readonly Scope[] => {
  const wanted = `one of ${SCOPES.join(', ')}`
  const scopes = args.values('scope').map((scope) => (Scope.is(scope) ? scope : refuse('--scope', scope, wanted)))
  return scopes.length === 0 ? SCOPES : [...new Set(scopes)]
}

/** Revokes a key that could not be shown, because nobody has it. */
export const withdrawKey = (ports: Pick<Ports, 'apiKeys' | 'clock'>, { id }: ApiKey): T.Task<string> =>
  pipe(
    revokeApiKey(ports)(id),
    TE.match(
      () => `the key ${id} could not be shown: revoke it with animal-store keys revoke ${id}`,
      () => `the key ${id} was revoked, because it could not be shown`,
    ),
  )

const issuedResult = ({ key, text }: IssuedApiKey, audit: Omit<AuditEntry, 'key'>, ifLost: T.Task<string>): Result => ({
  json: { id: key.id, key: text, ...common(key) },
  heading: `API key ${key.id}, shown this once:`,
  lines: [text],
  audit: { key, ...audit },
  ifLost,
})

const createKey = storeCommand({
  usage: 'keys create [--name N] [--scope S]... [--expires DURATION]',
  summary: `create a key; without --scope it has all scopes: ${SCOPES.join(', ')}`,
  options: { name: { type: 'string' }, scope: { type: 'string', multiple: true }, expires: { type: 'string' } },
  createsStore: true,
  plan: (args, clock) => {
    const [expires] = args.values('expires')
    const [name] = args.values('name')
    if (name !== undefined && !PetName.is(name)) refuse('--name', name, '1 to 256 characters, not only white space')
    // names appear in lists and in the audit log
    if (name !== undefined && mayHoldSecret(name))
      refuse('--name', name, 'a name without an API key, or 40 letters and digits on end')
    const lifetimeMs = expires === undefined ? O.none : O.some(parseDuration('--expires', expires))
    const input = { name: O.fromNullable(name), scopes: scopesOf(args), lifetimeMs }
    return (store) =>
      pipe(
        createApiKey({ ...store, clock, crypto: nodeCrypto })(input),
        TE.map((issued) =>
          issuedResult(issued, { message: 'key created' }, withdrawKey({ ...store, clock }, issued.key)),
        ),
      )
  },
})

const listKeys = storeCommand({
  usage: 'keys list',
  summary: 'list the keys with their ids; the keys themselves are never shown again',
  plan:
    () =>
    ({ apiKeys }) =>
      pipe(
        apiKeys.list,
        TE.map((keys) => ({
          json: keys.map(keyView),
          lines: table(keys.map(keyView)),
          ifEmpty: 'no keys yet: create one with animal-store keys create',
        })),
      ),
})

const rotateKey = storeCommand({
  usage: 'keys rotate ID [--overlap DURATION]',
  summary: `replace a key with a new one; the old key stays valid for the overlap (default 24h)`,
  options: { overlap: { type: 'string' } },
  plan: (args, clock) => {
    const [overlap = '24h'] = args.values('overlap')
    const overlapMs = parseDuration('--overlap', overlap)
    const id = parseKeyId(args.positionals[0] ?? '')
    const details = { replaces: id, overlapSeconds: overlapMs / 1_000 }
    return (store) =>
      pipe(
        rotateApiKey({ ...store, clock, crypto: nodeCrypto })({ id, overlapMs }),
        TE.map((issued) => {
          const { id } = issued.key
          const message = `the key ${id} could not be shown: replace it with animal-store keys rotate ${id}`
          return issuedResult(issued, { message: 'key rotated', details }, T.of(message))
        }),
      )
  },
})

const revokeKey = storeCommand({
  usage: 'keys revoke ID',
  summary: 'revoke a key; every instance refuses it within seconds',
  plan: (args, clock) => {
    const id = parseKeyId(args.positionals[0] ?? '')
    return (store) =>
      pipe(
        findApiKey(store, id),
        TE.bindTo('before'),
        TE.bindW('key', () => revokeApiKey({ ...store, clock })(id)),
        TE.map(({ before, key }) => ({
          json: keyView(key),
          lines: table([keyView(key)]),
          // no audit entry for a second revocation, which changes nothing
          ...(O.exists(({ revokedAt }: ApiKey) => O.isNone(revokedAt))(before) && {
            audit: { message: 'key revoked', key },
          }),
        })),
      )
  },
})

const pruneKeys = storeCommand({
  usage: 'keys prune [--older-than DURATION]',
  summary: 'remove keys that were revoked or expired longer ago than DURATION (default 90d)',
  options: { 'older-than': { type: 'string' } },
  plan: (args, clock) => {
    const [age = '90d'] = args.values('older-than')
    const olderThanMs = parseDuration('--older-than', age)
    return (store) =>
      pipe(
        pruneApiKeys({ ...store, clock })({ olderThanMs }),
        TE.map((removed) => ({
          json: { removed },
          lines: [`${counted(removed, 'key')} removed`],
          ...(removed > 0 && {
            audit: { message: 'keys pruned', details: { removed, olderThanSeconds: olderThanMs / 1_000 } },
          }),
        })),
      )
  },
})

export const keyCommands = [createKey, listKeys, rotateKey, revokeKey, pruneKeys]
