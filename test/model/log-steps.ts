// Steps of creates: draw an id, insert under it, and if the insert is refused, look up the record under the id.
// Steps of readers: sample the head, close gaps, read, and wait until the read is durable.
import { local, views } from './database.js'
import type { Step } from './explore.js'
import {
  at,
  type Create,
  change,
  collect,
  highest,
  isFree,
  isUnderWay,
  type LogBounds,
  type LogRules,
  type LogState,
  nameOf,
  put,
  type Read,
} from './log-state.js'

export const createSteps = (state: LogState, rules: LogRules, { ids }: LogBounds): readonly Step<LogState>[] => {
  const { database, creates, inserts } = state
  const { records, counter } = local(database)
  const { steps, step, store } = collect(state, rules)

  for (const [index, create] of creates.entries()) {
    const { phase, id, floor } = create
    const name = nameOf(index)
    const set = (changes: Partial<Create>) => ({ creates: change(creates, index, changes) })

    // creates are interchangeable, so they begin in the order of their names
    const mayBegin = floor >= 0 || (creates[index - 1]?.floor ?? 0) >= 0
    // skips the ids of a leap, which are next only after the counter was set back
    const next = rules.drawsIntoLeaps
      ? counter + 1
      : counter + 1 + (/^-+/.exec(records.slice(counter))?.[0].length ?? 0)
    if (phase === 'idle' && mayBegin && next <= ids) {
      const responded = creates.map((each) => (each.phase === 'answered' ? each.id : 0))
      const drawing = { phase: 'drawing', id: next, floor: floor < 0 ? Math.max(...responded) : floor } as const
      store(`${name} draws ${next}`, { counter: next }, set(drawing))
    }

    if (phase === 'drawing' && database.durable.counter >= id)
      step(`${name} gets ${id} and sends its insert`, {
        ...set({ phase: 'sent' }),
        inserts: [...inserts, `${name}${id}`].sort(),
      })
    if (phase === 'sent' && at(database.durable.records, id) === name)
      step(`${name} is answered: ${id}`, set({ phase: 'answered' }))

    if (phase === 'sent' && !isFree(records, id))
      step(`the insert ${name}${id} arrives, or arrives again, and is refused`, set({ phase: 'refused' }))
    if (phase === 'refused' && (!rules.refusedWait || !isFree(database.durable.records, id)))
      for (const [contents, from] of views(database, rules)) {
        const found = at(contents.records, id)
        const top = highest(records)
        const losses = rules.closes === 'below any head' ? 0 : create.losses + 1
        const taken = set({ phase: 'idle', id: 0, losses })
        if (found === name) step(`${name} finds its own record at ${id}${from}`, set({ phase: 'answered' }))
        else if ('.-'.includes(found)) step(`${name} finds nothing at ${id}${from}`, set({ phase: 'sent' }))
        else if (top <= counter) step(`${name} finds another record at ${id}${from}`, taken)
        else {
          const passed = records.slice(counter, top).replaceAll('.', rules.leapsWhenCatchingUp ? '-' : '.')
          const caughtUp = { counter: top, records: records.slice(0, counter) + passed + records.slice(top) }
          store(`${name} finds another record at ${id}${from} and raises the counter to ${top}`, caughtUp, taken)
        }
      }

    if (isUnderWay(create))
      step(`${name} gives up, or its instance crashes`, set({ phase: 'gone', id: 0, floor: 0, losses: 0 }))
  }

  for (const insert of inserts) {
    const id = Number(insert.slice(1))
    const stored = put(records, id, insert.charAt(0))
    if (isFree(records, id)) store(`the insert ${insert} arrives`, { records: stored })
  }
  return steps
}

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
    // readers cannot tell a leap from voids
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
