// The steps of creates: they draw an id, insert under it, and look up who has the id if the insert is refused.
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
} from './log-state.js'

export const createSteps = (state: LogState, rules: LogRules, { ids }: LogBounds): readonly Step<LogState>[] => {
  const { database, creates, inserts } = state
  const { records, counter } = local(database)
  const { steps, step, store } = collect(state, rules)

  for (const [index, create] of creates.entries()) {
    const { phase, id, floor } = create
    const name = nameOf(index)
    const set = (changes: Partial<Create>) => ({ creates: change(creates, index, changes) })

    // creates are alike, so they begin in the order of their names
    const mayBegin = floor >= 0 || (creates[index - 1]?.floor ?? 0) >= 0
    // an id in a leap is drawn only after the counter was set back; it is left unused
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
    const stored = records.slice(0, id - 1) + insert.charAt(0) + records.slice(id)
    if (isFree(records, id)) store(`the insert ${insert} arrives`, { records: stored })
  }
  return steps
}
