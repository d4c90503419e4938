// Measures the cost of work, independent of other load on the machine.

/** Milliseconds of CPU time of this process until the work is done. */
export const cpuTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
