// Preloaded into every server: reports the process's CPU time and memory when its parent asks.

/** CPU is user plus system time since the start, in microseconds; memory is in bytes. */
export interface Usage {
  readonly cpuMicros: number
  readonly residentBytes: number
}

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const residentBytes = process.memoryUsage.rss()
  const usage: Usage = { cpuMicros: user + system, residentBytes }
  process.send?.(usage)
})
// Never outlives the benchmark, and never keeps a stopped server alive
process.on('disconnect', () => process.exit())
process.channel?.unref()
