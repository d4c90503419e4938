// animal-store verify PATH: reads all of an embedded store, or of a backup of one, and names what is damaged.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Identity } from '../../adapters/lmdb/backup.js'
import type { Verification } from '../../adapters/lmdb/verify-store.js'
import { loadEmbedded } from '../../composition/open-store.js'
import { type Command, counted, DONE, FAILED, failed } from '../command.js'
import { MEMORY_UNREACHABLE } from '../store-command.js'
import { type Advance, withProgress } from './progress.js'

const PROGRAM = fileURLToPath(new URL('./verify-process.js', import.meta.url))

interface Progress {
  readonly done: number
  readonly total: number
}

/** `null`: there is no store. A text says why it cannot be read. */
type Sent = Verification | Identity | string | null

/** What a process of its own sends, or how it ended: LMDB may end one that reads a damaged page. */
const inProcess = async (words: readonly string[], advance: Advance) => {
  const child = fork(PROGRAM, [...words])
  let sent: Sent | undefined
  child.on('message', (message: Sent | Progress) => {
    if (message !== null && typeof message === 'object' && 'done' in message) advance(message.done, message.total)
    else sent = message
  })
  // unlike `exit`, after every message
  await once(child, 'close')
  const { exitCode, signalCode } = child
  return { sent, end: `reading it ended the process with ${signalCode ?? `exit code ${exitCode}`}` }
}

/** A text is the reason why there is no verification. */
export const verifyInProcess = async (directory: string, advance: Advance): Promise<Verification | string> => {
  const { unreadable } = await loadEmbedded(() => import('../../adapters/lmdb/verify-store.js'))
  const { sent, end } = await inProcess([directory], advance)
  return typeof sent === 'string' || (sent && 'findings' in sent) ? sent : unreadable(directory, end)
}

/** Undefined if there is no store, or it cannot be read. */
export const identifyInProcess = async (directory: string): Promise<Identity | undefined> => {
  const { sent } = await inProcess([directory, 'identify'], () => {})
  return sent !== null && typeof sent === 'object' && 'lastId' in sent ? sent : undefined
}

const textOf = (path: string, found: Verification): string => {
  const { pets, apiKeys, idempotencyKeys, waiting, parked, damaged, findings } = found
  const lines = findings.map(({ record, id, reason }) => `damaged ${record} ${id}: ${reason}`)
  if (findings.some(({ record }) => record === 'data file')) return [...lines, `${path} cannot be read`].join('\n')
  const held = `${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  const verdict = damaged === 0 ? 'sound' : `damaged in ${counted(damaged, 'place')}`
  return [...lines, `${path} is ${verdict}: ${held}, ${counted(waiting, 'event')} waiting, ${parked} parked`].join('\n')
}

export const verify: Command = {
  usage: 'verify PATH',
  summary: 'read all of an embedded store or a backup, and name what is damaged; PATH is its folder',
  operands: 1,
  run: async (args, { store }, output) => {
    if (store._tag === 'memory') return failed(output, MEMORY_UNREACHABLE)
    const [operand = ''] = args.positionals
    const path = resolve(operand)
    const { holdsStore } = await import('../../adapters/lmdb/environment/folder.js')
    if (!(await holdsStore(path))) return failed(output, `there is no store in ${path}`)
    const found = await withProgress('entries', (advance) => verifyInProcess(path, advance))
    if (typeof found === 'string') return failed(output, found)
    await output.result(args.json ? JSON.stringify({ path, ...found }) : textOf(path, found))
    return found.damaged === 0 ? DONE : FAILED
  },
}
