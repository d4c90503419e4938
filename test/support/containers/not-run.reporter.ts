// Lists the suites that could not run, by their reasons, after all other output.
import type { Reporter, TestModule } from 'vitest/node'

export default class NotRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const byReason = new Map<string, readonly string[]>()
    for (const module of modules) {
      for (const test of module.children.allTests('skipped')) {
        const result = test.result()
        const reason = (result.state === 'skipped' ? result.note : undefined) ?? 'switched off in the code'
        const title = `    ${module.relativeModuleId}: ${test.fullName}`
        byReason.set(reason, [...(byReason.get(reason) ?? []), title])
      }
    }
    if (byReason.size === 0) return
    const line = '!'.repeat(80)
    const groups = [...byReason].flatMap(([reason, titles]) => [`  ${reason}`, ...titles])
    const count = groups.length - byReason.size
    console.error([line, `NOT RUN on this machine: ${count} suites or tests`, ...groups, line].join('\n'))
  }
}
