// Measures the cost of work, independent of other load and of the speed of the machine.
import { expect } from 'vitest'

/** Milliseconds of CPU time of this process until the work is done. */
const cpuTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

/** For ten times the size, linear work costs at most ten times as much, quadratic work up to a hundred times. */
const FACTOR = 16
/** A garbage collection or a busy machine may spoil some measurements, but not all. */
const TRIES = 6
/** What happens once per measurement, such as a garbage collection, must not outweigh the work. */
const REPEATS = 5

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let time = 0; time < count; time += 1) await work()
}

/**
 * Fails if the cost of the work grows faster than its size; `what` is for the message. Compares two sizes without a floor below which
 * anything passes: the fixed costs of the work hide only what costs less than they do.
 */
export const expectLinear = async (
  size: number,
  work: (size: number) => Promise<unknown>,
  what = 'the work',
): Promise<void> => {
  const factors: number[] = []
  await work(size)
  while (factors.every((factor) => factor > FACTOR) && factors.length < TRIES) {
    const few = await cpuTimeOf(() => times(REPEATS, () => work(size / 10)))
    const many = await cpuTimeOf(() => times(REPEATS, () => work(size)))
    factors.push(many / few)
  }
  expect(Math.min(...factors), `${what}: the cost of ten times its size`).toBeLessThanOrEqual(FACTOR)
}
