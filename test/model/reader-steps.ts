// The steps of readers of the log: they sample the head, close gaps, read, and wait until their read is durable.
import { local, views } from './database.js'
import type { Step } from './explore.js'
import {
  at,
  collect,
  isUnderWay,
  type LogBounds,
  type LogRules,
  type LogState,
  nameOf,
  put,
  type Read,
} from './log-state.js'

const sorted = <A>(list: readonly A[]): readonly A[] =>
  list.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))

export const readerSteps = (state: LogState, rules: LogRules, { readers }: LogBounds): readonly Step<LogState>[] => {
  const { database, creates, given, reads, samples, peak } = state
  const { records } = local(database)
  const { steps, step, store } = collect(state, rules)

  const give = (label: string, after: number, found: string, rest: readonly Read[]): void => {
    const end = after + found.length
    const isEqual = [...found].every((record, offset) => (given[after + offset] ?? record) === record)
    const all = given.slice(0, after) + found + given.slice(end)
    step(`${label} is given ${found}, up to ${end}`, { given: isEqual ? all : `${all}!`, reads: rest })
  }

  for (const [contents, from] of views(database, rules)) {
    const seen = rules.passesGaps ? contents.records.slice(0, peak).replaceAll('.', 'v') : contents.records
    const [run = ''] = /^[^.]*/.exec(seen.slice(given.length)) ?? []
    // readers see no difference between a leap and voids
    const found = (rules.endsInLeap ? run : run.replace(/-+$/, '')).replaceAll('-', 'v')
    const shown = contents.records.slice(0, given.length).replaceAll('.', 'v')
    if (rules.passesUnseen && contents.records.slice(0, given.length).includes('.'))
      give(`a reader${from} that continues at 0`, 0, shown, reads)
    if (found === '') continue
    if (rules.awaits === 'nothing') give(`a reader${from}`, given.length, found, reads)
    else if (reads.length < readers) {
      const read = { found, after: given.length, unsynced: database.tail.length, isSameServer: true }
      step(`a reader finds ${found} above ${given.length}`, { reads: sorted([...reads, read]) })
    }
  }
  for (const [index, { found, after, unsynced, isSameServer }] of reads.entries()) {
    const rest = reads.toSpliced(index, 1)
    if (unsynced > 0) continue
    if (isSameServer || rules.awaits === 'journal')
      give('a journaled write is acknowledged, and a reader', after, found, rest)
    else step('a reader discards what it read before the crash', { reads: rest })
  }

  const underWayNow = creates.map((create, index) => (isUnderWay(create) ? `${nameOf(index)}${create.id}` : ''))
  const oldHeads = samples.map(({ head, underWay }) =>
    underWayNow.some((one) => one !== '' && underWay.includes(one)) ? 0 : head,
  )
  if (rules.closes === 'below an old head')
    for (const [contents, from] of views(database, rules)) {
      if (contents.counter <= given.length || samples.some(({ head }) => head === contents.counter)) continue
      const sample = { head: contents.counter, underWay: underWayNow.join('') }
      step(`a reader samples the head ${sample.head}${from}`, {
        samples: sorted([...samples.slice(1 - readers), sample]),
      })
    }
  const bound = rules.closes === 'below an old head' ? Math.max(0, ...oldHeads) : peak
  for (let id = given.length + 1; id <= bound && !rules.passesGaps; id += 1)
    if (at(records, id) === '.') store(`a reader closes ${id}`, { records: put(records, id, 'v') })
  return steps
}
