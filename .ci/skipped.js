// Prints the tests of vitest's JSON reports that were skipped although .ci/may-be-skipped does not list them.
// node .ci/skipped.js REPORT…
import { readFileSync } from 'node:fs'

const lines = readFileSync(new URL('may-be-skipped', import.meta.url), 'utf8').split('\n')
const allowed = new Set(lines.filter((line) => line !== '' && !line.startsWith('#')))

for (const report of process.argv.slice(2)) {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  for (const { name, assertionResults } of testResults) {
    for (const { status, fullName } of assertionResults) {
      if (status !== 'passed' && status !== 'failed' && !allowed.has(fullName)) {
        process.stdout.write(`${name}: ${fullName}\n`)
      }
    }
  }
}
