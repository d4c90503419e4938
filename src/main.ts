// The process of the command `animal-store`, on a Node.js that is new enough.
import * as E from 'fp-ts/lib/Either.js'
import { BAD_CONFIGURATION, writeTo } from './commands/command.js'
import { runCommandLine } from './commands/command-line.js'
import { serve } from './commands/serve.js'
import { openEnvFile } from './config/env-file.js'
import { environmentHints } from './config/misspelt.js'
import { visible } from './domain/visible.js'

// ignored here, because each write of a result reports its own error
process.stdout.on('error', () => {})
// a message that cannot be shown must not end the service
process.stderr.on('error', () => {})

// process 1 of a container gets only signals that it handles; `serve` handles them itself
if (process.pid === 1 && process.argv[2] !== 'serve') {
  process.once('SIGINT', () => process.exit(130))
  process.once('SIGTERM', () => process.exit(143))
}

// settings from .env in the working directory; variables already set win, even if empty
const file = openEnvFile('.env')
const lines = [...environmentHints(process.env), ...(E.isLeft(file) ? file.left : file.right.hints)]
for (const line of lines) process.stderr.write(`${visible(line)}\n`)
if (E.isLeft(file)) {
  if (process.argv[2] === 'serve') await serve.refused?.(file.left, process.env)
  process.exit(BAD_CONFIGURATION)
}
for (const [name, value] of file.right.values) process.env[name] ??= value
const code = await runCommandLine(process.argv.slice(2), process.env, {
  result: (text) => writeTo('stdout', `${text}\n`),
  message: (text) => void process.stderr.write(`${text}\n`),
  notice: (text) => writeTo('stderr', `${text}\n`),
  // not on a terminal, where a person has just read the result
  audit: (line) => {
    if (!process.stderr.isTTY) process.stderr.write(`${line}\n`)
  },
})
// open handles must not keep a finished command alive
process.exit(code)
