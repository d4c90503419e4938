#!/usr/bin/env node
// The process of the command `animal-store`.
import { runCommandLine } from './commands/command-line.js'

const code = await runCommandLine(process.argv.slice(2), process.env, {
  result: (text) => void process.stdout.write(`${text}\n`),
  message: (text) => void process.stderr.write(`${text}\n`),
  // a person at a terminal has just read the result
  audit: (line) => {
    if (!process.stderr.isTTY) process.stderr.write(`${line}\n`)
  },
})
// open handles must not keep a finished command alive
process.exit(code)
