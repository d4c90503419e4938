// Which folders may import which packages.
import type { IRegularForbiddenRuleType } from 'dependency-cruiser'

type Patterns = Readonly<Partial<Record<'path' | 'pathNot', string[]>>>

export interface ImportRule {
  readonly name: string
  readonly from: Patterns
  readonly to: Patterns & Pick<IRegularForbiddenRuleType['to'], 'circular' | 'couldNotResolve' | 'dependencyTypesNot'>
  /** A file that breaks the rule. What it imports under the name `empty` is there. */
  readonly probe: readonly [path: string, source: string]
}

export const npm = (names: readonly string[]): string[] => names.map((name) => `node_modules/${name}/`)

const onlyIn = (folder: string, packages: readonly [string, ...string[]]): ImportRule => ({
  name: `${packages.join(', ')}: only in ${folder}`,
  from: { path: ['^src/'], pathNot: [`^src/${folder}/`] },
  to: { path: npm(packages) },
  probe: [`src/not-in-${folder.replace('/', '-')}.ts`, `import type {} from '${packages[0]}'`],
})

export const packageRules: readonly ImportRule[] = [
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
