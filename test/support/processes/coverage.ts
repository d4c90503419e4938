// The coverage of the processes that tests start. That of the tests' own processes is vitest's.

/** Where they leave what they have run, in V8's own form. */
export const PROCESS_COVERAGE = 'reports/process-coverage'

/** For their environments: makes Node leave it there if this run counts coverage. */
export const coverageVariables = (): Readonly<Record<string, string>> =>
  process.env['PROCESS_COVERAGE'] === undefined ? {} : { NODE_V8_COVERAGE: process.env['PROCESS_COVERAGE'] }
