// The program of the thread that parses long bodies. It also decodes the pet: what no pet has never leaves the thread.
import { parentPort } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { faultsOf } from '../../domain/codecs/struct.js'
import { parseJsonBytes } from '../../domain/json/parse-json.js'
import { NewPet } from '../../domain/pets/pet.js'
import type { ParsedNewPet } from './new-pet-parser.js'

const parse = (body: Uint8Array): ParsedNewPet => {
  const value = parseJsonBytes(body)
  if (E.isLeft(value)) return value
  const newPet = NewPet.decode(value.right)
  return E.isRight(newPet) ? newPet : E.left({ _tag: 'ValidationFailed', faults: faultsOf(newPet.left) })
}

parentPort?.on('message', (body: Uint8Array) => parentPort?.postMessage(parse(body)))
