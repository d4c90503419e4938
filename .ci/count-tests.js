// Prints the failed tests of vitest's JSON reports, and `N passed, N failed`; exits with 1 if anything failed or nothing ran.
// node .ci/count-tests.js FAILED-STEPS REPORT…
import { existsSync, readFileSync } from 'node:fs'

const [failedSteps, ...paths] = process.argv.slice(2)
const reports = paths.filter((path) => existsSync(path)).map((path) => JSON.parse(readFileSync(path, 'utf8')))
for (const { name, assertionResults } of reports.flatMap(({ testResults }) => testResults))
  for (const { status, fullName, failureMessages } of assertionResults)
    if (status === 'failed')
      process.stdout.write(`failed: ${name}: ${fullName}\n  ${failureMessages[0]?.split('\n')[0]}\n`)
const sum = (member) => reports.reduce((total, report) => total + report[member], 0)
const failed = sum('numFailedTests') + Number(failedSteps)
process.stdout.write(`\n${sum('numPassedTests')} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1
