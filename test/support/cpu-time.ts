// What work costs, whatever else the machine is doing.

/** Milliseconds of processor time that this process spends until the work is done. */
export const cpuTimeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
