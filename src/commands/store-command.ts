// Runs a command on the store, beside the running service, and says why it failed.

import { statSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { missingStoreFolder, openSharedStore } from '../composition/configured-adapters.js'
import { type Config, shown, storeText } from '../config/config.js'
import type { LineRefused } from '../domain/archive/import-store.js'
import { PrintableText } from '../domain/codecs/scalar.js'
import type { ApiKeyNotFound, ApiKeyReplaced, Unavailable, ValidationFailed } from '../domain/errors.js'
import { type JsonValue, stringifyJson } from '../domain/json/stringify-json.js'
import { setBounded } from '../domain/set-bounded.js'
import { asError } from '../domain/thrown.js'
import type { Clock } from '../ports/clock.js'
import type { ReportDamage } from '../ports/notice.js'
import type { ArchivedStore } from '../ports/store.js'
import { type Arguments, type Command, DONE, FAILED, failed, type Output, UsageError } from './command.js'
import { type AuditEntry, logAudit } from './keys/key-text.js'

export interface FileFailed {
  readonly _tag: 'FileFailed'
  readonly file: string
  readonly reason: string
}

type Failure = ValidationFailed | ApiKeyNotFound | ApiKeyReplaced | FileFailed | LineRefused | Unavailable

/** Why no command but `serve` reaches the memory store. */
export const MEMORY_UNREACHABLE =
  'STORE=memory keeps everything inside the serving process; no other command can reach it'

export const noStoreIn = (folder: string): string =>
  `there is no store in ${folder}: set DATA_DIR to the folder of the running service`

/** `variable` is the setting that names the store. */
const explain = (failure: Failure, variable: string): string => {
  switch (failure._tag) {
    case 'ValidationFailed':
      return failure.faults.map(({ pointer, reason }) => `${pointer.replace('/', '--')}: ${reason}`).join('; ')
    case 'ApiKeyNotFound':
      return `there is no live key with the id ${PrintableText.is(failure.id) ? failure.id : shown(failure.id)}`
    case 'ApiKeyReplaced':
      return `the key ${failure.id} was already replaced by ${failure.successor}; rotate that one`
    case 'FileFailed':
      return `${failure.file}: ${failure.reason}`
    case 'LineRefused':
      return `line ${failure.line}: ${failure.reason}`
    case 'Unavailable':
      return `the store of ${variable} cannot be used: ${asError(failure.cause).message}`
  }
}

/** Throws if nothing is at the path. Whatever else is wrong with it, its use reports. */
export const mustExist = (what: 'file' | 'folder', path: string): void => {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) throw new Error(`the ${what} ${path} does not exist`)
}

/** The output of a command: one JSON document on stdout with --json, else lines for people. */
export interface Result {
  readonly json: JsonValue
  readonly lines: readonly string[]
  /** On stderr before the lines, not with --json. */
  readonly heading?: string
  /** The same for a list without lines, unless damaged records were left out of it. */
  readonly ifEmpty?: string
  /** On stderr. */
  readonly warning?: string
  /** Whether the result is incomplete: the exit code is then 1. */
  readonly isIncomplete?: boolean
  readonly audit?: AuditEntry
  /** Takes back what is useless if nobody has seen the result. */
  readonly ifLost?: Undo
}

interface Undo {
  readonly work: TE.TaskEither<Unavailable, AuditEntry>
  /** What to tell if it worked, and what the operator has to do otherwise. */
  readonly done: string
  readonly otherwise: string
}

interface StoreCommand extends Omit<Command, 'run'> {
  /** A missing embedded store is created: only by a command that adds something to it. */
  readonly createsStore?: boolean
  /** Parses the arguments, before the store is opened, and returns the work. */
  readonly plan: (
    args: Arguments,
    config: Config,
    clock: Clock,
  ) => (store: ArchivedStore, reportDamage: ReportDamage) => TE.TaskEither<Failure, Result>
}

const writeAudit = async (entry: AuditEntry, config: Config, output: Output): Promise<void> => {
  const { loadJsonLog } = await import('../composition/json-log.js')
  logAudit(await loadJsonLog(config.logLevel, { write: (line) => output.audit(line.trimEnd()) }), entry)
}

const print = async (result: Result, args: Arguments, output: Output, hasDamage: boolean): Promise<void> => {
  const { json, lines, heading, ifEmpty, warning } = result
  if (args.json) await output.result(stringifyJson(json))
  else {
    if (heading !== undefined) output.message(heading)
    if (ifEmpty !== undefined && lines.length === 0 && !hasDamage) output.message(ifEmpty)
    if (lines.length > 0) await output.result(lines.join('\n'))
  }
  if (warning !== undefined) output.message(warning)
}

const undo = async ({ work, done, otherwise }: Undo, config: Config, output: Output): Promise<void> => {
  const undone = await work()
  if (E.isLeft(undone)) output.message(`${otherwise}: ${asError(undone.left.cause).message}`)
  else {
    output.message(done)
    await writeAudit(undone.right, config, output)
  }
}

/** Lines about damage that are remembered, so that what a start and an export find is printed once. */
const MAX_REPORTED = 10_000

/** No client waits for a command, so it may wait for a busy machine, or for the writes of a service. */
const WRITE_TIMEOUT_MS = 30_000

/** Opens the store of the settings, or says why the command cannot use it. */
const openFor = async (
  config: Config,
  createsStore: boolean,
  reportDamage: ReportDamage,
  output: Output,
): Promise<ArchivedStore | string> => {
  if (config.store._tag === 'memory') return MEMORY_UNREACHABLE
  const folder = await missingStoreFolder(config)
  if (folder !== undefined && !createsStore) return noStoreIn(folder)
  output.message(`store: ${storeText(config.store)}`)
  const store = await openSharedStore(config, config.store, {
    reportDamage,
    writeTimeoutMs: WRITE_TIMEOUT_MS,
    // if the store is unavailable, the work fails and says so
    notify: ({ level, message }) => {
      if (level === 'warn') output.message(message)
    },
  })
  if (folder !== undefined) output.message(`created a new store in ${folder} (DATA_DIR)`)
  return store
}

/** A command that opens the store, runs its work, prints the result, and always closes the store. */
export const storeCommand = ({ createsStore = false, plan, ...words }: StoreCommand): Command => ({
  ...words,
  run: async (args, config, output, clock) => {
    const work = plan(args, config, clock)
    const reported = new Map<string, true>()
    const reportDamage: ReportDamage = ({ record, id, reason }) => {
      const line = `damaged ${record} ${id}: ${reason}`
      if (!reported.has(line)) output.message(line)
      setBounded(reported, MAX_REPORTED, line, true)
    }
    const store = await openFor(config, createsStore, reportDamage, output)
    if (typeof store === 'string') return failed(output, store)
    try {
      const result = await work(store, reportDamage)()
      if (E.isLeft(result)) {
        const variable = config.store._tag === 'mongodb' ? config.mongodbVariable : 'DATA_DIR'
        const reason = explain(result.left, variable)
        if (result.left._tag === 'ValidationFailed') throw new UsageError(reason)
        return failed(output, reason)
      }
      const { audit, ifLost, isIncomplete = false } = result.right
      const printing = print(result.right, args, output, reported.size > 0)
      // whether or not it is printed, the store has changed
      const printed = await TE.tryCatch(() => printing, identity)()
      if (audit !== undefined) await writeAudit(audit, config, output)
      if (E.isRight(printed)) return isIncomplete ? FAILED : DONE
      if (ifLost !== undefined) await undo(ifLost, config, output)
      throw printed.left
    } finally {
      await store.close()
    }
  },
})
