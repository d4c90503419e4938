// Starts a writer in a separate process, and collects its acknowledgements.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bundleProgram } from '../../support/processes/bundle-program.js'
import { type Acknowledged, parseLedger } from './ledger.js'

const SCRIPT = bundleProgram(fileURLToPath(new URL('writer.ts', import.meta.url)))

export interface WriterProcess {
  /** Resolves once it has opened the folder. */
  readonly ready: Promise<void>
  /** Resolves once it has acknowledged this many pets. */
  readonly acknowledged: (count: number) => Promise<void>
  readonly kill: (signal: NodeJS.Signals) => void
  /** Resolves to its output, once it has ended. */
  readonly ledger: Promise<readonly Acknowledged[]>
}

/** Until it is killed, at the latest when the test ends. */
export const startWriter = (directory: string, callers: number, name: string): WriterProcess => {
  const child: ChildProcess = spawn(process.execPath, [SCRIPT, directory, String(callers), '0', name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  const lines = async (count: number): Promise<void> => {
    while (printed.split('\n').length <= count) {
      if (child.exitCode !== null) throw new Error(`the writer has ended with ${child.exitCode}: ${printed}`)
      await Promise.race([child.stdout === null ? closed : once(child.stdout, 'data'), closed])
    }
  }
  return {
    ready: lines(1),
    acknowledged: (count) => lines(count + 1),
    kill: (signal) => child.kill(signal),
    ledger: closed.then(() => parseLedger(printed)),
  }
}
