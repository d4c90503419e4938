// Loses replies of MongoDB whose commands have been carried out: the messages of its wire protocol, taken apart.
import type { Tap } from './tcp-proxy.js'

// offsets of OP_MSG (the manual: MongoDB Wire Protocol): its header, and the name of its body's first element
const HEADER_LENGTH = 16
const REQUEST_ID = 4
const RESPONSE_TO = 8
const OPCODE = 12
const COMMAND_NAME = 26
const OP_MSG = 2013

/** The messages that are whole, and the bytes of the last one if it is not. */
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

/** A tap that resets the connection in place of each reply for whose command `isLost` says so. */
export const losingReplies = (isLost: (command: string) => boolean) => (): Tap => {
  const commands = new Map<number, string>()
  let asked: Buffer = Buffer.alloc(0)
  let answered: Buffer = Buffer.alloc(0)
  return {
    request: (bytes) => {
      const { messages, rest } = split(Buffer.concat([asked, bytes]))
      asked = rest
      for (const message of messages) commands.set(message.readInt32LE(REQUEST_ID), commandOf(message))
    },
    reply: (bytes) => {
      const { messages, rest } = split(Buffer.concat([answered, bytes]))
      answered = rest
      for (const message of messages) {
        const command = commands.get(message.readInt32LE(RESPONSE_TO))
        commands.delete(message.readInt32LE(RESPONSE_TO))
        if (command !== undefined && isLost(command)) return 'reset'
      }
      return Buffer.concat(messages)
    },
  }
}
