// The program of the thread that parses long bodies. Only the members of a NewPet leave the thread.
import { parentPort } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { faultsOf } from '../../domain/codecs/struct.js'
import { parseJsonBytes } from '../../domain/json/parse-json.js'
import { NewPet } from '../../domain/pets/pet.js'
import type { ParsedNewPet, ThreadMessage } from './new-pet-parser.js'

const parse = (body: Uint8Array): ParsedNewPet => {
  const value = parseJsonBytes(body)
  if (E.isLeft(value)) return value
  const newPet = NewPet.decode(value.right)
  return E.isRight(newPet) ? newPet : E.left({ _tag: 'ValidationFailed', faults: faultsOf(newPet.left) })
}

const send = (message: ThreadMessage, moved: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved)

parentPort?.on('message', (body: Uint8Array<ArrayBuffer>) => {
  // the body moves back: it would stay in the memory of the thread until its next garbage collection
  send({ _tag: 'Parsed', parsed: parse(body), body }, [body.buffer])
})
send({ _tag: 'Ready' })
