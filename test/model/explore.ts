// Visits every state of a model, nearest first, so that a broken rule comes with a shortest path to it.
import { hash } from 'node:crypto'

export type Step<S> = readonly [label: string, next: S]

export interface Model<S> {
  readonly initial: S
  readonly steps: (state: S) => readonly Step<S>[]
  readonly broken: (state: S) => string | undefined
  readonly isComplete: (state: S) => boolean
}

interface Exploration {
  /** States from which no complete state can be reached. Unknown, and therefore 0, after a counterexample. */
  readonly stuck: number
  readonly complete: number
  readonly counterexample: { readonly breaks: string; readonly steps: readonly string[] } | undefined
}

const countStuck = (from: readonly number[], to: readonly number[], complete: readonly number[], states: number) => {
  const before = Array.from({ length: states }, (): number[] => [])
  for (const [at, target] of to.entries()) before[target]?.push(from[at] ?? 0)
  const reaching = new Set(complete)
  // a set also yields elements that are added during the iteration
  for (const state of reaching) for (const previous of before[state] ?? []) reaching.add(previous)
  return states - reaching.size
}

/** Hashed, because a million full states would not fit in memory. */
const keyOf = (state: object): string => hash('md5', JSON.stringify(state), 'base64')

/** Throws beyond `maxStates`, because a partly explored model proves nothing. */
export const explore = <S extends object>(
  { initial, steps, broken, isComplete }: Model<S>,
  maxStates = 2_000_000,
): Exploration => {
  const numbers = new Map([[keyOf(initial), 0]])
  const states = [initial]
  const [parents, labels] = [[0], ['']]
  const [from, to, complete]: [number[], number[], number[]] = [[], [], []]

  const wayTo = (state: number): readonly string[] =>
    state === 0 ? [] : [...wayTo(parents[state] ?? 0), labels[state] ?? '']

  // an array also yields elements that are added during the iteration
  for (const [at, state] of states.entries()) {
    const breaks = broken(state)
    if (breaks !== undefined)
      return { stuck: 0, complete: complete.length, counterexample: { breaks, steps: wayTo(at) } }
    if (isComplete(state)) complete.push(at)
    for (const [label, next] of steps(state)) {
      const key = keyOf(next)
      let number = numbers.get(key)
      if (number === undefined) {
        number = states.length
        if (number === maxStates) throw new Error(`more than ${maxStates} states`)
        numbers.set(key, number)
        states.push(next)
        parents.push(at)
        labels.push(label)
      }
      from.push(at)
      to.push(number)
    }
  }
  const stuck = countStuck(from, to, complete, states.length)
  return { stuck, complete: complete.length, counterexample: undefined }
}
