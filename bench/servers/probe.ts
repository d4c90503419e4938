// Preloaded into every server: reports the processor time and memory of this process when its parent asks.

/** CPU in microseconds of user and system time since the start; memory in bytes. */
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
// never outlives the benchmark, and never keeps a server alive that has stopped
process.on('disconnect', () => process.exit())
process.channel?.unref()
