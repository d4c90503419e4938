// animal-store verify PATH: reads all of an embedded store, or of a backup of one, and names what is damaged.
import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Verification } from '../../adapters/sqlite/backup/verify-store.js'
import { DATABASE } from '../../adapters/sqlite/file/folder.js'
import { loadEmbedded } from '../../composition/configured-adapters.js'
import { type Command, counted, DONE, FAILED, failed, withProgress } from '../command.js'
import { MEMORY_UNREACHABLE } from '../store-command.js'

/** Shows how far it is. Undefined if there is no such file, or no store in such a folder. */
export const verifyPath = async (path: string): Promise<Verification | undefined> => {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  const file = isFolder ? join(path, DATABASE) : path
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  const { verifyStore } = await loadEmbedded(() => import('../../adapters/sqlite/backup/verify-store.js'))
  return withProgress('records', async (advance) => verifyStore(file, advance))
}

const textOf = (path: string, found: Verification): string => {
  const { pets, apiKeys, idempotencyKeys, damaged, findings } = found
  const lines = findings.map(({ record, id, reason }) => `damaged ${record} ${id}: ${reason}`)
  if (findings.some(({ record, id }) => record === 'database' && id !== 'page'))
    return [...lines, `${path} cannot be read`].join('\n')
  const held = `${counted(pets, 'pet')}, ${counted(apiKeys, 'API key')}, ${counted(idempotencyKeys, 'idempotency key')}`
  const verdict = damaged === 0 ? 'sound' : `damaged in ${counted(damaged, 'place')}`
  return [...lines, `${path} is ${verdict}: ${held}`].join('\n')
}

export const verify: Command = {
  usage: 'verify PATH',
  summary: 'read all of an embedded store or a backup, and name what is damaged; PATH is its folder or file',
  operands: 1,
  run: async (args, { store }, output) => {
    if (store._tag === 'memory') return failed(output, MEMORY_UNREACHABLE)
    const [operand = ''] = args.positionals
    const path = resolve(operand)
    const found = await verifyPath(path)
    if (found === undefined) return failed(output, `there is no store in ${path}`)
    await output.result(args.json ? JSON.stringify({ path, ...found }) : textOf(path, found))
    return found.damaged === 0 ? DONE : FAILED
  },
}
