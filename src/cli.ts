#!/usr/bin/env node
// The command `animal-store`. Checks the version of Node.js first, because an older one cannot load the rest.
import { versionProblem } from './commands/node-version.js'

const problem = versionProblem(process.versions.node)
if (problem === undefined) await import('./main.js')
else {
  process.stderr.write(`${problem}\n`)
  // BAD_CONFIGURATION, which this file must not import
  process.exitCode = 78
}
