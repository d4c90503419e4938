// Lists what did not run, by reason, after all other output. With CONTAINERS=required, this is a failure.
import type { Reporter, TestModule, Vitest } from 'vitest/node'

export default class NotRunReporter implements Reporter {
  #projects: readonly string[] = []

  onInit({ projects }: Vitest): void {
    this.#projects = projects.map(({ name }) => name)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const byReason = new Map<string, readonly string[]>()
    const add = (reason: string, title: string): void =>
      void byReason.set(reason, [...(byReason.get(reason) ?? []), `    ${title}`])
    for (const module of modules)
      for (const test of module.children.allTests('skipped')) {
        const result = test.result()
        const note = result.state === 'skipped' ? result.note : undefined
        add(note ?? 'switched off in the code', `${module.relativeModuleId}: ${test.fullName}`)
      }
    const isRequired = process.env['CONTAINERS'] === 'required'
    // a developer may select files; the gate runs whole projects
    if (isRequired)
      for (const name of this.#projects)
        if (!modules.some(({ project }) => project.name === name)) add('a project without a file of tests', name)
    if (byReason.size === 0) return
    if (isRequired) process.exitCode = 1
    const line = '!'.repeat(80)
    const groups = [...byReason].flatMap(([reason, titles]) => [`  ${reason}`, ...titles])
    const count = groups.length - byReason.size
    console.error([line, `NOT RUN on this machine: ${count} suites or tests`, ...groups, line].join('\n'))
  }
}
