// Runs a command on the store, which a running service may share, and explains failures.

import * as E from 'fp-ts/lib/Either.js'
import { identity } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { missingStoreFolder, openSharedStore } from '../composition/configured-adapters.js'
import type { ServiceLog } from '../composition/service-log.js'
import { type Config, shown, storeText } from '../config/config.js'
import type { ApiKey } from '../domain/api-keys/api-key.js'
import type { LineRefused } from '../domain/archive/import-store.js'
import { instantText, PrintableText } from '../domain/codecs/scalar.js'
import type { ApiKeyNotFound, ApiKeyReplaced, Unavailable, ValidationFailed } from '../domain/errors.js'
import { type JsonValue, stringifyJson } from '../domain/json/stringify-json.js'
import { setBounded } from '../domain/set-bounded.js'
import { asError } from '../domain/thrown.js'
import type { Clock } from '../ports/clock.js'
import type { ReportDamage } from '../ports/notice.js'
import type { ArchivedStore } from '../ports/store.js'
import { type Arguments, type Command, DONE, FAILED, failed, type Output, UsageError } from './command.js'

type Failure = ValidationFailed | ApiKeyNotFound | ApiKeyReplaced | LineRefused | Unavailable

export const MEMORY_UNREACHABLE =
  'STORE=memory keeps everything inside the serving process; no other command can reach it'

export const noStoreIn = (folder: string): string =>
  `there is no store in ${folder}: set DATA_DIR to the folder of the running service`

export const nameMayBeLost = (path: string, reason: string): string =>
  `warning: the name of ${path} could not be synced, so a power failure may lose it: ${reason}`

/** `variable` is the setting that names the store. */
const explain = (failure: Failure, variable: string): string => {
  switch (failure._tag) {
    case 'ValidationFailed':
      return failure.faults.map(({ pointer, reason }) => `${pointer.replace('/', '--')}: ${reason}`).join('; ')
    case 'ApiKeyNotFound':
      return `there is no live key with the id ${PrintableText.is(failure.id) ? failure.id : shown(failure.id)}`
    case 'ApiKeyReplaced':
      return `the key ${failure.id} was already replaced by ${failure.successor}; rotate that one`
    case 'LineRefused':
      return `line ${failure.line}: ${failure.reason}`
    case 'Unavailable':
      return `the store of ${variable} cannot be used: ${asError(failure.cause).message}`
  }
}

/** The output of a command: one JSON document on stdout with --json, else lines for people. */
export interface Result {
  readonly json: JsonValue
  readonly lines: readonly string[]
  /** Printed on stderr before the lines, without --json. */
  readonly heading?: string
  /** Printed on stderr. */
  readonly warning?: string | undefined
  /** Printed on stderr without --json if there are no lines, unless damaged records were left out. */
  readonly ifEmpty?: string
  /** Printed on stderr: what the result lacks. The exit code is then 1. */
  readonly incomplete?: string
  readonly audit?: AuditEntry
  /** Run if the result could not be shown; resolves to what the operator must know. */
  readonly ifLost?: Task<string>
}

export interface AuditEntry {
  readonly message: 'key created' | 'key rotated' | 'key revoked' | 'keys pruned'
  /** Absent if the entry concerns several keys. */
  readonly key?: ApiKey
  readonly details?: Readonly<Record<string, unknown>>
}

/** The damaged records that a command has met. */
export interface Damages {
  /** Prints each once; the store calls it, too. */
  readonly report: ReportDamage
  readonly count: () => number
}

interface StoreCommand extends Omit<Command, 'run'> {
  /** Creates a missing embedded store; only for commands that add something to it. */
  readonly createsStore?: boolean
  /** Parses the arguments, before the store is opened, and returns the work. */
  readonly plan: (
    args: Arguments,
    clock: Clock,
  ) => (store: ArchivedStore, damages: Damages) => TE.TaskEither<Failure, Result>
}

export const logAudit = (log: Pick<ServiceLog, 'info'>, { message, key, details }: AuditEntry): void => {
  const name = key && O.isSome(key.name) && { keyName: key.name.value }
  const expiry = key && O.isSome(key.expiresAt) && { expiresAt: instantText(key.expiresAt.value) }
  log.info({ audit: true, ...(key && { keyId: key.id, ...name, scopes: key.scopes, ...expiry }), ...details }, message)
}

const writeAudit = async (entry: AuditEntry, config: Config, output: Output): Promise<void> => {
  const { loadJsonLog } = await import('../composition/json-log.js')
  logAudit(await loadJsonLog(config.logLevel, { write: (line) => output.audit(line.trimEnd()) }), entry)
}

const print = async (result: Result, args: Arguments, output: Output, hasDamage: boolean): Promise<void> => {
  const { json, lines, heading, warning, ifEmpty, incomplete } = result
  if (warning !== undefined) output.message(warning)
  if (args.json) await output.result({ json: stringifyJson(json) })
  else {
    if (heading !== undefined) output.message(heading)
    if (ifEmpty !== undefined && lines.length === 0 && !hasDamage) output.message(ifEmpty)
    if (lines.length > 0) await output.result(lines)
  }
  if (incomplete !== undefined) output.message(incomplete)
}

/** Long, because no client waits: a busy machine or the writes of a service may delay a command. */
const WRITE_TIMEOUT_MS = 30_000

/** Damage reports remembered, to print each only once. */
const MAX_REPORTED = 10_000

/** A command that opens the store, runs its work, prints the result, and always closes the store. */
export const storeCommand = ({ createsStore = false, plan, ...words }: StoreCommand): Command => ({
  ...words,
  run: async (args, config, output, clock) => {
    const work = plan(args, clock)
    // opening the store and the work may find the same damage
    const reported = new Map<string, true>()
    let damaged = 0
    const reportDamage: ReportDamage = ({ record, id, reason }) => {
      const line = `damaged ${record} ${id}: ${reason}`
      if (!reported.has(line)) {
        output.message(line)
        damaged += 1
      }
      setBounded(reported, MAX_REPORTED, line, true)
    }
    if (config.store._tag === 'memory') return failed(output, MEMORY_UNREACHABLE)
    const folder = await missingStoreFolder(config)
    if (folder !== undefined && !createsStore) return failed(output, noStoreIn(folder))
    output.message(`store: ${storeText(config.store)}`)
    const store = await openSharedStore(config, config.store, {
      reportDamage,
      writeTimeoutMs: WRITE_TIMEOUT_MS,
      // if the store is unavailable, the work fails and says so
      notify: ({ level, message, details: { reason } }) => {
        if (level === 'warn') output.message(reason === undefined ? message : `${message}: ${reason}`)
      },
    })
    if (folder !== undefined) output.message(`created a new store in ${folder} (DATA_DIR)`)
    try {
      const result = await work(store, { report: reportDamage, count: () => damaged })()
      if (E.isLeft(result)) {
        const variable = config.store._tag === 'mongodb' ? config.mongodbVariable : 'DATA_DIR'
        const reason = explain(result.left, variable)
        if (result.left._tag === 'ValidationFailed') throw new UsageError(reason)
        return failed(output, reason)
      }
      const { audit, ifLost, incomplete } = result.right
      // the store has changed, so the audit entry is written even if printing fails
      const printed = await TE.tryCatch(() => print(result.right, args, output, reported.size > 0), identity)()
      if (audit !== undefined) await writeAudit(audit, config, output)
      if (E.isRight(printed)) return incomplete === undefined ? DONE : FAILED
      if (ifLost !== undefined) output.message(await ifLost())
      throw printed.left
    } finally {
      await store.close()
    }
  },
})
