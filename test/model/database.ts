// An abstract MongoDB: which writes survive a failure, and who sees them when.
import type { Step } from './explore.js'

export interface DatabaseRules {
  /** A replica set whose members agree by majority, or one server with a journal. */
  readonly database: 'replica set' | 'standalone'
  /** The read concern. A standalone server knows only local reads. */
  readonly reads: 'majority' | 'local'
  /** The most writes at a time that are not durable yet. Two can be lost together, or one without the other. */
  readonly maxTail: number
}

/** Contents after each write, instead of the writes: a failure takes back the last ones. */
export interface Database<C> {
  /** Survives every failure: a majority has it, or the journal. */
  readonly durable: C
  /** The contents after each later write. */
  readonly tail: readonly C[]
  /** Shown by the former primary until it learns that it was deposed. */
  readonly former?: C
}

export const local = <C>({ durable, tail }: Database<C>): C => tail.at(-1) ?? durable

const readable = <C>(database: Database<C>, { reads }: DatabaseRules): C =>
  reads === 'majority' ? database.durable : local(database)

/** The results that a read may have, and their origin. */
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

/** None while too many writes wait to be durable. */
const write = <C>(database: Database<C>, { maxTail }: DatabaseRules, contents: C): Database<C> | undefined =>
  database.tail.length < maxTail ? { ...database, tail: [...database.tail, contents] } : undefined

export const commit = <C>(database: Database<C>): Database<C> => ({
  ...database,
  durable: database.tail[0] ?? database.durable,
  tail: database.tail.slice(1),
})

/** Another member, which had some of the tail, becomes primary; or the server restarts, and its journal had some. */
export const fail = <C>(database: Database<C>, rules: DatabaseRules, kept: number): Database<C> => ({
  durable: database.durable,
  tail: database.tail.slice(0, kept),
  ...(rules.database === 'replica set' && { former: readable(database, rules) }),
})

/** Collects the steps from a state, and what else of it each write changes. */
export const collector = <C extends object, S extends { readonly database: Database<C> }>(
  state: S,
  rules: DatabaseRules,
  written: (contents: C) => Partial<S> = () => ({}),
) => {
  const steps: Step<S>[] = []
  const step = (label: string, changes: Partial<S>): void => void steps.push([label, { ...state, ...changes }])
  /** A step that writes; none while too many writes wait to be durable. */
  const store = (label: string, changed: Partial<C>, changes?: Partial<S>): void => {
    const contents = { ...local(state.database), ...changed }
    const database = write(state.database, rules, contents)
    if (database !== undefined) steps.push([label, { ...state, ...written(contents), database, ...changes }])
  }
  return { steps, step, store }
}
