// Runs a command on the store, beside the running service.
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { missingStoreFolder, openSharedStore } from '../composition/open-store.js'
import { type Config, storeText } from '../config/config.js'
import { type JsonValue, stringifyJson } from '../domain/json/stringify-json.js'
import type { Clock } from '../ports/clock.js'
import type { ReportDamage } from '../ports/notice.js'
import type { ArchivedStore } from '../ports/store.js'
import { type Arguments, type Command, DONE, FAILED, type Output } from './command.js'
import { type AuditEntry, logAudit } from './keys/key-text.js'
import { explain, type Failure, MEMORY_UNREACHABLE, noStoreIn } from './store/failure.js'

/** Whether a command may create a missing embedded store: only if it adds something to it. */
export type IfMissing = 'make it' | 'fail'

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
}

interface StoreCommand extends Omit<Command, 'run'> {
  readonly ifMissing: IfMissing
  /** Parses the arguments, before the store is opened, and returns the work. */
  readonly plan: (
    args: Arguments,
    config: Config,
    clock: Clock,
  ) => (store: ArchivedStore) => TaskEither<Failure, Result>
}

const writeAudit = async (entry: AuditEntry, config: Config, output: Output): Promise<void> => {
  const { jsonLog } = await import('../composition/log.js')
  logAudit(jsonLog(config.logLevel, { write: (line) => output.audit(line.trimEnd()) }), entry)
}

const print = (result: Result, args: Arguments, output: Output, hasDamage: boolean): void => {
  const { json, lines, heading, ifEmpty, warning } = result
  if (args.json) output.result(stringifyJson(json))
  else {
    if (heading !== undefined) output.message(heading)
    if (ifEmpty !== undefined && lines.length === 0 && !hasDamage) output.message(ifEmpty)
    for (const line of lines) output.result(line)
  }
  if (warning !== undefined) output.message(warning)
}

/** Opens the store of the settings; undefined after a message why the command cannot use it. */
const openFor = async (
  config: Config,
  ifMissing: IfMissing,
  reportDamage: ReportDamage,
  output: Output,
): Promise<ArchivedStore | undefined> => {
  if (config.store._tag === 'memory') {
    output.message(MEMORY_UNREACHABLE)
    return undefined
  }
  const folder = await missingStoreFolder(config)
  if (folder !== undefined && ifMissing === 'fail') {
    output.message(noStoreIn(folder))
    return undefined
  }
  output.message(`store: ${storeText(config.store)}`)
  const store = await openSharedStore(config, config.store, {
    reportDamage,
    // if the store is unavailable, the work fails and says so
    notify: ({ level, message }) => {
      if (level === 'warn') output.message(message)
    },
    // the service has checked the data file, and the check would race with its writes
    checksDataFile: false,
  })
  if (folder !== undefined) output.message(`created a new store in ${folder} (DATA_DIR)`)
  return store
}

/** A command that opens the store, runs its work, prints the result, and always closes the store. */
export const storeCommand = ({ ifMissing, plan, ...words }: StoreCommand): Command => ({
  ...words,
  run: async (args, config, output, clock) => {
    const work = plan(args, config, clock)
    let hasDamage = false
    const reportDamage: ReportDamage = ({ record, id, reason }) => {
      hasDamage = true
      output.message(`damaged ${record} ${id}: ${reason}`)
    }
    const store = await openFor(config, ifMissing, reportDamage, output)
    if (store === undefined) return FAILED
    try {
      const result = await work(store)()
      if (E.isLeft(result)) {
        const variable = config.store._tag === 'mongodb' ? config.secretVariables.mongodbUri : 'DATA_DIR'
        output.message(explain(result.left, variable))
        return FAILED
      }
      print(result.right, args, output, hasDamage)
      if (result.right.audit !== undefined) await writeAudit(result.right.audit, config, output)
      return result.right.isIncomplete === true ? FAILED : DONE
    } finally {
      await store.close()
    }
  },
})
