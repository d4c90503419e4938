// Taps on MongoDB's wire protocol: they see every command, and steer, lose or hold whole replies.
import { BSON, type Document } from 'mongodb'
import type { Tap } from '../network/tcp-proxy.js'

// Offsets in OP_MSG (MongoDB manual: Wire Protocol): its header, and the name of the first element of its body
const HEADER_LENGTH = 16
const REQUEST_ID = 4
const RESPONSE_TO = 8
const OPCODE = 12
const COMMAND_NAME = 26
const BODY = 21
const OP_MSG = 2013

const split = (bytes: Buffer): { readonly messages: readonly Buffer[]; readonly rest: Buffer } => {
  const messages: Buffer[] = []
  let rest = bytes
  while (rest.length >= HEADER_LENGTH && rest.length >= rest.readInt32LE(0)) {
    const length = rest.readInt32LE(0)
    messages.push(rest.subarray(0, length))
    rest = rest.subarray(length)
  }
  return { messages, rest }
}

const commandOf = (message: Buffer): string =>
  message.readInt32LE(OPCODE) === OP_MSG ? message.toString('utf8', COMMAND_NAME, message.indexOf(0, COMMAND_NAME)) : ''

/** Without the document sequences that may follow. */
const bodyOf = (message: Buffer): Document => BSON.deserialize(message.subarray(BODY, BODY + message.readInt32LE(BODY)))

const replyWith = (document: Document, original: Buffer): Buffer => {
  const message = Buffer.concat([original.subarray(0, BODY), BSON.serialize(document)])
  message.writeInt32LE(message.length, 0)
  return message
}

/** What to do with a reply: pass it, reset the connection, send another one, or pass it later. */
export type Verdict = 'pass' | 'reset' | ((reply: Document) => Document) | Promise<unknown>

export const steering =
  (decide: (command: string) => Verdict, see: (command: Document) => void = () => {}) =>
  (): Tap => {
    const commands = new Map<number, string>()
    let sent: Buffer = Buffer.alloc(0)
    let received: Buffer = Buffer.alloc(0)
    return {
      request: (bytes) => {
        const { messages, rest } = split(Buffer.concat([sent, bytes]))
        sent = rest
        for (const message of messages) if (commandOf(message) !== '') see(bodyOf(message))
        for (const message of messages) commands.set(message.readInt32LE(REQUEST_ID), commandOf(message))
      },
      reply: (bytes) => {
        const { messages, rest } = split(Buffer.concat([received, bytes]))
        received = rest
        const passed: Buffer[] = []
        let held: Promise<unknown> | undefined
        for (const message of messages) {
          const command = commands.get(message.readInt32LE(RESPONSE_TO))
          commands.delete(message.readInt32LE(RESPONSE_TO))
          const verdict = command === undefined ? 'pass' : decide(command)
          if (verdict === 'reset') return 'reset'
          if (verdict instanceof Promise) held = verdict
          if (verdict === 'pass' || verdict instanceof Promise) passed.push(message)
          else passed.push(replyWith(verdict(bodyOf(message)), message))
        }
        // a connection carries one command at a time, so nothing can overtake a held reply
        return held === undefined ? Buffer.concat(passed) : held.then(() => Buffer.concat(passed))
      },
    }
  }

/** For each command that `isLost` selects, resets the connection or sends another reply. */
export const losingReplies = (isLost: (command: string) => boolean, instead: Document | 'reset' = 'reset') =>
  steering((command) => {
    if (!isLost(command)) return 'pass'
    return instead === 'reset' ? instead : () => instead
  })
