// Prints the failed tests of vitest's JSON reports, one per line.
// node .ci/failed.js REPORT…
import { readFileSync } from 'node:fs'

for (const report of process.argv.slice(2)) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, assertionResults } of testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed')
        process.stdout.write(`failed: ${name}: ${fullName}\n  ${failureMessages[0]?.split('\n')[0]}\n`)
    }
  }
}
