// Measures the cost of work, independent of other load and of the speed of the machine.
import { expect } from 'vitest'

/** Milliseconds of CPU time of this process until the work is done. */
const cpuTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** Times below this one say nothing about growth. */
const LEAST_MS = 5
/** For ten times the size: linear work needs 10, quadratic work 100. */
const FACTOR = 30
/** A garbage collection or a busy machine may spoil some measurements, but not all. */
const TRIES = 5

/** Fails if the cost of the work grows much faster than its size; `what` is for the message. */
export const expectLinear = async (
  size: number,
  work: (size: number) => Promise<unknown>,
  what = 'the work',
): Promise<void> => {
  const factors: number[] = []
  while (factors.every((factor) => factor > FACTOR) && factors.length < TRIES) {
    const few = await cpuTimeOf(() => work(size / 10))
    const many = await cpuTimeOf(() => work(size))
    factors.push(many / Math.max(few, LEAST_MS))
  }
  expect(Math.min(...factors), `${what}: the cost of ten times its size`).toBeLessThanOrEqual(FACTOR)
}
