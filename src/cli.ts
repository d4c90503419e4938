#!/usr/bin/env node
// The command `animal-store` as a process.
import { runCommandLine } from './commands/command-line.js'

const code = await runCommandLine(process.argv.slice(2), process.env, {
  result: (text) => void process.stdout.write(`${text}\n`),
  message: (text) => void process.stderr.write(`${text}\n`),
  // somebody at a terminal has just read the result
  audit: (line) => void (process.stderr.isTTY || process.stderr.write(`${line}\n`)),
})
// the handles that are still open must not keep a finished command alive
process.exit(code)
