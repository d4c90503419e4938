// Writes results to stdout, and knows whether each was written.

import { fstatSync, writeFileSync } from 'node:fs'
import { asError } from '../domain/thrown.js'
import { ResultLost } from './command.js'

/** Node's stream takes a short write to a file on a full disk for a whole one, and `writeFileSync` does not. */
const writeToFile = (text: string): Promise<void> =>
  new Promise((resolve) => {
    writeFileSync(process.stdout.fd, text)
    resolve()
  })

const writeToStream = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })

/** Rejects with `ResultLost`. */
export const writeStdout = async (text: string): Promise<void> => {
  try {
    await (fstatSync(process.stdout.fd).isFile() ? writeToFile(text) : writeToStream(text))
  } catch (error) {
    throw new ResultLost(asError(error))
  }
}
