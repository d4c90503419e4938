// The program of the thread that parses long bodies. Only the members of a NewPet leave the thread.
import { parentPort } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { decodeNewPet } from '../../domain/pets/pet.js'
import { type ParsedNewPet, parseNewPetJson } from '../../domain/pets/pet-json.js'
import type { ThreadMessage } from './new-pet-parser.js'

const parse = (body: Uint8Array): ParsedNewPet => {
  const value = parseNewPetJson(body)
  return E.isLeft(value) ? value : decodeNewPet(value.right)
}

const send = (message: ThreadMessage, moved: readonly ArrayBuffer[] = []): void =>
  parentPort?.postMessage(message, moved)

parentPort?.on('message', (body: Uint8Array<ArrayBuffer>) => {
  // transfers the body back: otherwise the thread would hold it until its next garbage collection
  send({ _tag: 'Parsed', parsed: parse(body), body }, [body.buffer])
})
send({ _tag: 'Ready' })
