// An abstract MongoDB: which writes survive a failure, and who sees them when.
import type { Step } from './explore.js'

export interface DatabaseRules {
  /** A replica set whose members agree by majority, or one server with a journal. */
  readonly database: 'replica set' | 'standalone'
  /** The read concern. A standalone server knows only local reads. */
  readonly reads: 'majority' | 'local'
  /** At most this many writes that are not durable yet. With two, a failure can lose both or only the later one. */
  readonly maxTail: number
}

/** Holds contents instead of writes, because a failure takes back the latest writes. */
export interface Database<C> {
  /** A majority or the journal has it, so it survives every failure. */
  readonly durable: C
  /** The contents after each later write. */
  readonly tail: readonly C[]
  /** Still shown by the former primary until it learns that it was deposed. */
  readonly former?: C
}

export const local = <C>({ durable, tail }: Database<C>): C => tail.at(-1) ?? durable

const readable = <C>(database: Database<C>, { reads }: DatabaseRules): C =>
  reads === 'majority' ? database.durable : local(database)

/** The possible results of a read, and their origin. */
export const views = <C>(
  database: Database<C>,
  rules: DatabaseRules,
): readonly (readonly [contents: C, from: string])[] =>
  database.former === undefined
    ? [[readable(database, rules), '']]
    : [
        [readable(database, rules), ''],
        [database.former, ' on the former primary'],
      ]

/** Undefined while too many writes are not durable yet. */
const write = <C>(database: Database<C>, { maxTail }: DatabaseRules, contents: C): Database<C> | undefined =>
  database.tail.length < maxTail ? { ...database, tail: [...database.tail, contents] } : undefined

export const commit = <C>(database: Database<C>): Database<C> => ({
  ...database,
  durable: database.tail[0] ?? database.durable,
  tail: database.tail.slice(1),
})

/** Another member, with part of the tail, becomes primary; or the server restarts with part of it in its journal. */
export const fail = <C>(database: Database<C>, rules: DatabaseRules, kept: number): Database<C> => ({
  durable: database.durable,
  tail: database.tail.slice(0, kept),
  ...(rules.database === 'replica set' && { former: readable(database, rules) }),
})

/** `written` returns the other members of the state that each write changes. */
export const collector = <C extends object, S extends { readonly database: Database<C> }>(
  state: S,
  rules: DatabaseRules,
  written: (contents: C) => Partial<S> = () => ({}),
) => {
  const steps: Step<S>[] = []
  const step = (label: string, changes: Partial<S>): void => void steps.push([label, { ...state, ...changes }])
  /** No step while too many writes are not durable yet. */
  const store = (label: string, changed: Partial<C>, changes?: Partial<S>): void => {
    const contents = { ...local(state.database), ...changed }
    const database = write(state.database, rules, contents)
    if (database !== undefined) steps.push([label, { ...state, ...written(contents), database, ...changes }])
  }
  return { steps, step, store }
}
