// The alerts under Prometheus' own checker and unit tests.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { describeWith } from '../../support/containers/describe-with.js'

const run = promisify(execFile)

describeWith('promtool', 'the alerts', (promtool) => {
  it.each([
    ['check', 'rules', 'deploy/prometheus/animal-store.rules.yaml'],
    ['check', 'config', '--syntax-only', 'deploy/prometheus/prometheus.yaml'],
    ['test', 'rules', 'test/deploy/prometheus/rules.promtool.yaml'],
  ])('pass promtool %s %s', async (...args) => {
    expect((await run(promtool, args)).stdout).toContain('SUCCESS')
  })
})
