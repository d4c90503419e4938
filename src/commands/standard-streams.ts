// Writes to stdout and stderr, and knows whether each text was written.

import { fstatSync, writeFileSync } from 'node:fs'
import { asError } from '../domain/thrown.js'
import { ResultLost } from './command.js'

type StandardStream = 'stdout' | 'stderr'

/** Node's stream takes a short write to a file on a full disk for a whole one, and `writeFileSync` does not. */
const writeToFile = (name: StandardStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    writeFileSync(process[name].fd, text)
    resolve()
  })

const writeToStream = (name: StandardStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process[name].write(text, (error) => (error ? reject(error) : resolve()))
  })

/** Rejects with `ResultLost`. */
const writeTo = async (name: StandardStream, text: string): Promise<void> => {
  try {
    await (fstatSync(process[name].fd).isFile() ? writeToFile(name, text) : writeToStream(name, text))
  } catch (error) {
    throw new ResultLost(name, asError(error))
  }
}

/** Rejects with `ResultLost`. */
export const writeStdout = (text: string): Promise<void> => writeTo('stdout', text)

/** Rejects with `ResultLost`. */
export const writeStderr = (text: string): Promise<void> => writeTo('stderr', text)
