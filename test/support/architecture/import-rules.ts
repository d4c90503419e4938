// Import rules for the hexagon and for packages, enforced by test/architecture.test.ts.
import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

type Patterns = Readonly<Partial<Record<'path' | 'pathNot', string[]>>>

interface ImportRule {
  readonly name: string
  readonly from: Patterns
  readonly to: Patterns & Pick<IRegularForbiddenRuleType['to'], 'circular' | 'couldNotResolve' | 'dependencyTypesNot'>
  /** A file that breaks the rule. The test creates each file that it imports under the name `empty`. */
  readonly probe: readonly [path: string, source: string]
}

export const npm = (names: readonly string[]): string[] => names.map((name) => `node_modules/${name}/`)

const onlyIn = (folder: string, packages: readonly [string, ...string[]]): ImportRule => ({
  name: `${packages.join(', ')}: only in ${folder}`,
  from: { path: ['^src/'], pathNot: [`^src/${folder}/`] },
  to: { path: npm(packages) },
  probe: [`src/not-in-${folder.replace('/', '-')}.ts`, `import type {} from '${packages[0]}'`],
})

const packageRules: readonly ImportRule[] = [
  {
    name: 'development packages stay in tests',
    from: { path: ['^src/'], pathNot: ['^src/testing/'] },
    to: {
      path: npm(['vitest', 'fast-check', 'testcontainers', 'typescript', 'lossless-json', 'standardwebhooks', 'yaml']),
    },
    probe: ['src/tests-itself.ts', "import type {} from 'vitest'"],
  },
  onlyIn('adapters/http/koa', ['koa', '@koa/router', 'koa-bodyparser']),
  onlyIn('adapters/http/fetch', ['path-to-regexp']),
  onlyIn('adapters/http/access', ['limiter']),
  onlyIn('adapters/sqlite', ['@photostructure/sqlite']),
  onlyIn('adapters/mongodb', ['mongodb', 'bson']),
  onlyIn('adapters/nats', ['@nats-io/transport-node', '@nats-io/jetstream', '@nats-io/nats-core']),
  onlyIn('adapters/prometheus', ['prom-client']),
  onlyIn('adapters/opentelemetry', [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace-node',
  ]),
  onlyIn('adapters/pino', ['pino', 'pino-pretty']),
  onlyIn('commands', ['cli-progress']),
]

// Lists instead of regex alternatives, so that a test can check that each pattern still matches a file
const NATS_ADDRESS = '^src/adapters/nats/address[.]ts$'
const SINGLE_VALUES = ['^src/domain/(codecs/scalar|api-keys/api-key-text|thrown)[.]ts$', NATS_ADDRESS]
const OUTSIDE = ['^src/[^/]+[.]ts$', '^src/composition/', '^src/commands/', '^src/exports/']
const FP_TS = 'node_modules/fp-ts/'
// Types that ports may use. The rest of the domain is use cases, which take ports.
const DOMAIN_DATA = [
  '^src/domain/codecs/',
  '^src/domain/json/',
  '^src/domain/errors[.]ts$',
  '^src/domain/api-keys/api-key[.]ts$',
  '^src/domain/archive/decide-restore[.]ts$',
  '^src/domain/events/domain-event[.]ts$',
  '^src/domain/events/relay-record[.]ts$',
  '^src/domain/pets/decide-add[.]ts$',
  '^src/domain/pets/pet[.]ts$',
  '^src/domain/pets/pet-query[.]ts$',
]

export const rules: readonly ImportRule[] = [
  {
    name: 'the domain imports only fp-ts, io-ts, itself and ports',
    from: { path: ['^src/domain/'] },
    to: { pathNot: ['^src/domain/', '^src/ports/', FP_TS, ...npm(['io-ts'])] },
    probe: ['src/domain/reaches-out.ts', "import { randomUUID } from 'node:crypto'\nexport default randomUUID"],
  },
  {
    name: 'the domain imports only the types of ports',
    from: { path: ['^src/domain/'] },
    to: { path: ['^src/ports/'], dependencyTypesNot: ['type-only'] },
    probe: ['src/domain/calls-a-port.ts', "import '../ports/empty.js'"],
  },
  {
    name: 'ports import only the data of the domain',
    from: { path: ['^src/ports/'] },
    to: { path: ['^src/domain/'], pathNot: DOMAIN_DATA },
    probe: ['src/ports/runs-a-use-case.ts', "import type {} from '../domain/empty.js'"],
  },
  {
    name: 'the data of the domain imports neither ports nor use cases',
    from: { path: DOMAIN_DATA },
    to: { path: ['^src/'], pathNot: DOMAIN_DATA },
    probe: ['src/domain/codecs/knows-a-port.ts', "import type {} from '../../ports/empty.js'"],
  },
  {
    name: 'the parser and the writer of JSON run without any package',
    from: { path: ['^src/domain/json/'] },
    to: { pathNot: ['^src/domain/json/'], dependencyTypesNot: ['type-only'] },
    probe: ['src/domain/json/needs-options.ts', "import * as O from 'fp-ts/lib/Option.js'\nexport default O.none"],
  },
  {
    name: 'ports import only types, of fp-ts, of the domain and of each other',
    from: { path: ['^src/ports/'] },
    to: { dependencyTypesNot: ['type-only'] },
    probe: ['src/ports/runs.ts', "import * as O from 'fp-ts/lib/Option.js'\nexport default O.none"],
  },
  {
    name: 'ports import only fp-ts, the domain and each other',
    from: { path: ['^src/ports/'] },
    to: { pathNot: ['^src/domain/', '^src/ports/', FP_TS] },
    probe: ['src/ports/knows-files.ts', "import type {} from 'node:fs'"],
  },
  {
    name: 'adapters never import each other',
    from: { path: ['^src/adapters/([^/]+)/'] },
    to: { path: ['^src/adapters/'], pathNot: ['^src/adapters/$1/'] },
    probe: ['src/adapters/one/borrows.ts', "import type {} from '../other/empty.js'"],
  },
  {
    name: 'only the composition root, commands and exports import adapters, and the configuration the address of a broker',
    from: { path: ['^src/'], pathNot: [...OUTSIDE, '^src/adapters/'] },
    to: { path: ['^src/adapters/'], pathNot: [NATS_ADDRESS] },
    probe: ['src/testing/wires.ts', "import type {} from '../adapters/other/empty.js'"],
  },
  {
    name: 'only the composition root, commands and exports import each other and the configuration',
    from: { path: ['^src/'], pathNot: [...OUTSIDE, '^src/config/'] },
    to: { path: [...OUTSIDE, '^src/config/'] },
    probe: ['src/adapters/one/reads-settings.ts', "import type {} from '../../config/empty.js'"],
  },
  {
    name: 'the composition root imports no command',
    from: { path: ['^src/composition/'] },
    to: { path: ['^src/(cli|main)[.]ts$', '^src/commands/'] },
    probe: ['src/composition/commands.ts', "import type {} from '../commands/empty.js'"],
  },
  {
    name: 'the configuration imports only fp-ts, files, itself, the address of a broker, and of the domain single values, the pattern of secrets and what was thrown',
    from: { path: ['^src/config/'] },
    to: { pathNot: ['^src/config/', ...SINGLE_VALUES, FP_TS, '^(node:)?fs$'] },
    probe: ['src/config/knows-pets.ts', "import type {} from '../domain/empty.js'"],
  },
  {
    name: 'the client imports only itself, and of the domain the JSON, the Retry-After and what was thrown',
    from: { path: ['^src/client/'] },
    to: { pathNot: ['^src/client/', '^src/domain/json/', '^src/domain/(retry-after|thrown)[.]ts$'] },
    probe: ['src/client/needs-node.ts', "import { randomUUID } from 'node:crypto'\nexport default randomUUID"],
  },
  {
    name: 'the service does not import its client',
    from: { path: ['^src/'], pathNot: ['^src/client/', '^src/exports/'] },
    to: { path: ['^src/client/'] },
    probe: ['src/composition/calls-itself.ts', "import type {} from '../client/empty.js'"],
  },
  {
    name: 'messages of HTTP know only failures',
    from: { path: ['^src/adapters/http/messages/'] },
    to: {
      path: ['^src/adapters/http/'],
      pathNot: ['^src/adapters/http/messages/', '^src/adapters/http/failures[.]ts$'],
    },
    probe: ['src/adapters/http/messages/asks-who.ts', "import type {} from '../access/empty.js'"],
  },
  {
    name: "Node's server knows neither routes nor what is behind them",
    from: { path: ['^src/adapters/http/server/'] },
    to: {
      path: ['^src/adapters/http/'],
      pathNot: [
        '^src/adapters/http/messages/',
        '^src/adapters/http/server/',
        '^src/adapters/http/checked-settings[.]ts$',
        '^src/adapters/http/cors[.]ts$',
        '^src/adapters/http/failures[.]ts$',
        '^src/adapters/http/report[.]ts$',
      ],
    },
    probe: ['src/adapters/http/server/replies.ts', "import type {} from '../endpoints/empty.js'"],
  },
  {
    name: "the fetch handler knows neither Koa nor Node's server",
    from: { path: ['^src/adapters/http/fetch/'] },
    to: { path: ['^src/adapters/http/koa/', '^src/adapters/http/server/', 'node_modules/koa/'] },
    probe: ['src/adapters/http/fetch/listens.ts', "import type {} from '../server/empty.js'"],
  },
  {
    name: 'no cycles',
    from: { path: ['^src/'] },
    to: { circular: true },
    probe: ['src/egg.ts', "import './egg.js'"],
  },
  {
    name: 'every import is found',
    from: { path: ['^src/'] },
    to: { couldNotResolve: true },
    probe: ['src/asks-for-nothing.ts', "import './nothing.js'"],
  },
  ...packageRules,
]
