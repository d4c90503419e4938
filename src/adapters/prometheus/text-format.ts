// Prometheus' text format, version 0.0.4.
import { type Distribution, METRIC_NAMES, rowOf, type Samples } from './catalogue.js'

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '"': '\\"', '\n': '\\n' }

const quoted = (value: string): string => `"${value.replace(/[\\"\n]/g, (character) => ESCAPED[character] ?? '')}"`

type Pairs = readonly (readonly [name: string, value: string])[]

const line = (name: string, pairs: Pairs, value: number): string => {
  const shown = pairs.map(([label, text]) => `${label}=${quoted(text)}`).join(',')
  return shown === '' ? `${name} ${value}` : `${name}{${shown}} ${value}`
}

const histogramLines = (name: string, pairs: Pairs, { bounds, counts, sum }: Distribution): readonly string[] => {
  let count = 0
  const buckets = [...bounds.map(String), '+Inf'].map((bound, at) => {
    count += counts[at] ?? 0
    return line(`${name}_bucket`, [['le', bound], ...pairs], count)
  })
  return [...buckets, line(`${name}_sum`, pairs, sum), line(`${name}_count`, pairs, count)]
}

interface AnySample {
  readonly labels: Readonly<Record<string, string>>
  readonly value: number | Distribution
}

/** All samples; a metric without any is left out. */
export const textOf = (samples: Samples): string => {
  const of: Readonly<Record<string, readonly AnySample[]>> = samples
  return METRIC_NAMES.flatMap((name) => {
    const { type, labels: names, help } = rowOf(name)
    const lines = (of[name] ?? []).flatMap(({ labels, value }) => {
      const pairs = names.map((label) => [label, labels[label] ?? ''] as const)
      return typeof value === 'number' ? [line(name, pairs, value)] : histogramLines(name, pairs, value)
    })
    return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, '']
  }).join('\n')
}
