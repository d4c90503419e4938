// The queries of the alerts and of the dashboard.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Query {
  readonly title: string
  readonly expr: string
}

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly Rule[] }[]
}

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const dashboard = JSON.parse(readFileSync('deploy/grafana/animal-store.dashboard.json', 'utf8')) as Dashboard

const rules = parse(readFileSync('deploy/prometheus/animal-store.rules.yaml', 'utf8')) as Rules

export const alertRules: readonly Rule[] = rules.groups.flatMap((group) => group.rules)

export const alerts: readonly Query[] = alertRules.map(({ alert, expr }) => ({ title: alert, expr }))

export const panels: readonly Query[] = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ expr }) => ({ title, expr })),
)

/** A metric in a query, and the labels and values that the query expects of it. */
export interface Use {
  readonly name: string
  readonly labels: readonly string[]
  readonly codes: readonly string[]
}

const matchersIn = (text: string) => [...text.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)]

export const usesIn = (expr: string): readonly Use[] =>
  [...expr.matchAll(/\b((?:http|animal_store|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: matchersIn(matchers).map(([, label = '']) => label),
      codes: matchersIn(matchers)
        .filter(([, label]) => label === 'code')
        .flatMap(([, , values = '']) => values.split('|')),
    }),
  )

/** The labels that a query groups by. */
export const groupedBy = (expr: string): readonly string[] =>
  [...expr.matchAll(/\b(?:by|on) ?\(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/))
