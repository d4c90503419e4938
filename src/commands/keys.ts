// animal-store keys create | list | rotate | revoke
import * as O from 'fp-ts/lib/Option.js'
import { systemClock } from '../adapters/node/clock.js'
import { nodeCrypto } from '../adapters/node/crypto.js'
import { SCOPES, Scope } from '../domain/api-key.js'
import { createApiKey, type IssuedApiKey } from '../domain/create-api-key.js'
import { revokeApiKey } from '../domain/revoke-api-key.js'
import { rotateApiKey } from '../domain/rotate-api-key.js'
import type { Store } from '../ports/store.js'
import { parseDuration, parseKeyId, shown } from './arguments.js'
import { type Arguments, type Command, type Output, UsageError } from './command.js'
import { issuedKeyView, keyLine, keyView } from './key-text.js'
import { withStore } from './with-store.js'

const portsOf = ({ apiKeys }: Store) => ({ apiKeys, clock: systemClock, crypto: nodeCrypto })

const DEFAULT_OVERLAP = '24h'

const scopesOf = (args: Arguments): readonly Scope[] => {
  const sent = args.texts('scope')
  const scopes = sent.filter(Scope.is)
  const wrong = sent.find((scope) => !Scope.is(scope))
  if (wrong !== undefined) {
    throw new UsageError(`--scope: got ${shown(wrong)}, wanted one of ${SCOPES.join(', ')}`)
  }
  return scopes.length === 0 ? SCOPES : [...new Set(scopes)]
}

const printIssued = (args: Arguments, output: Output) => (issued: IssuedApiKey) => {
  if (args.json) {
    output.result(JSON.stringify(issuedKeyView(issued)))
    return
  }
  output.message(`API key ${issued.key.id}, shown this once:`)
  output.result(issued.text)
}

export const createKey: Command = {
  usage: 'keys create [--name N] [--scope S]... [--expires DURATION]',
  summary: `create a key; without --scope it has all scopes: ${SCOPES.join(', ')}`,
  options: { name: { type: 'string' }, scope: { type: 'string', multiple: true }, expires: { type: 'string' } },
  operands: 0,
  run: async (args, config, output) => {
    const expires = args.text('expires')
    const lifetime = expires === undefined ? O.none : O.some(parseDuration('--expires', expires))
    const input = { name: O.fromNullable(args.text('name')), scopes: scopesOf(args), lifetime }
    return withStore(
      config,
      'make it',
      output,
      (store) => createApiKey(portsOf(store))(input),
      printIssued(args, output),
    )
  },
}

export const listKeys: Command = {
  usage: 'keys list',
  summary: 'list all keys by their ids; no key itself is printed',
  options: {},
  operands: 0,
  run: (args, config, output) =>
    withStore(
      config,
      'fail',
      output,
      ({ apiKeys }) => apiKeys.list,
      (keys) => {
        if (args.json) output.result(JSON.stringify(keys.map(keyView)))
        else for (const key of keys) output.result(keyLine(key))
      },
    ),
}

export const rotateKey: Command = {
  usage: 'keys rotate ID [--overlap DURATION]',
  summary: `replace a key with a new one; the old key stays valid for the overlap (default ${DEFAULT_OVERLAP})`,
  options: { overlap: { type: 'string' } },
  operands: 1,
  run: async (args, config, output) => {
    const overlap = parseDuration('--overlap', args.text('overlap') ?? DEFAULT_OVERLAP)
    const input = { id: parseKeyId(args.positionals[0] ?? ''), overlap }
    return withStore(config, 'fail', output, (store) => rotateApiKey(portsOf(store))(input), printIssued(args, output))
  },
}

export const revokeKey: Command = {
  usage: 'keys revoke ID',
  summary: 'revoke a key; every instance refuses it within seconds',
  options: {},
  operands: 1,
  run: async (args, config, output) => {
    const id = parseKeyId(args.positionals[0] ?? '')
    return withStore(
      config,
      'fail',
      output,
      (store) => revokeApiKey(portsOf(store))(id),
      (key) => output.result(args.json ? JSON.stringify(keyView(key)) : keyLine(key)),
    )
  },
}
