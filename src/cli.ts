#!/usr/bin/env node
// The process of the command `animal-store`. Most packages that it needs are optional: whoever embeds the domain leaves them out.
import { BAD_CONFIGURATION } from './commands/command.js'

const loadCommandLine = async () => {
  try {
    return await import('./commands/command-line.js')
  } catch (error) {
    const missing = /Cannot find package '([^']+)'/.exec(String(error))?.[1]
    if (missing === undefined) throw error
    process.stderr.write(`${missing} is not installed: install animal-store without --omit=optional\n`)
    process.exit(BAD_CONFIGURATION)
  }
}

const { runCommandLine } = await loadCommandLine()
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
