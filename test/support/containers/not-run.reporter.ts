// Lists the suites that could not run, with the reasons, after all other output.
import type { Reporter, TestModule } from 'vitest/node'

export default class NotRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const notRun = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => {
        const result = test.result()
        const reason = result.state === 'skipped' ? result.note : undefined
        return `  ${module.relativeModuleId}: ${test.fullName}: ${reason ?? 'switched off in the code'}`
      }),
    )
    if (notRun.length === 0) return
    const line = '!'.repeat(80)
    console.error([line, `NOT RUN on this machine: ${notRun.length} suites or tests`, ...notRun, line].join('\n'))
  }
}
