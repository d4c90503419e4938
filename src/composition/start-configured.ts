// Starts a service from the configuration: store, publisher, metrics and log.
import * as E from 'fp-ts/lib/Either.js'
import { documentation } from '../adapters/http/endpoints/documentation.js'
import { bufferedStdout } from '../adapters/pino/buffered-stdout.js'
import type { Log } from '../adapters/pino/log.js'
import { makeTerminalLog } from '../adapters/pino/terminal-log.js'
import type { Config } from '../config/config.js'
import { rowOf, SETTING_NAMES } from '../config/settings.js'
import { asError } from '../domain/thrown.js'
import type { Notify, ReportDamage } from '../ports/notice.js'
import type { Store } from '../ports/store.js'
import { openSharedStore, preparePublisher } from './configured-adapters.js'
import { loadJsonLog } from './json-log.js'
import { logNotify } from './service-log.js'
import { metricsOf, type RunningService, startService } from './start-service.js'

/** JSON lines on stdout, or readable lines if that is a terminal. */
export const makeLog = async ({ logLevel }: Pick<Config, 'logLevel'>): Promise<Log> =>
  process.stdout.isTTY
    ? makeTerminalLog(logLevel, { hasColors: process.stdout.getColorDepth() > 1 })
    : loadJsonLog(logLevel, bufferedStdout())

/** Names the variable in place of the member of the settings, which only embedders know. */
const withVariable = (error: Error): Error => {
  const [member, ...rest] = error.message.split(': ')
  const variable = SETTING_NAMES.find((name) => rowOf(name).member === member)
  return variable === undefined ? error : new Error([variable, ...rest].join(': '), { cause: error.cause })
}

/** Rejects with `BadConfiguration` before opening anything. Calls `endOn` if the store fails permanently. */
export const startConfigured = async (
  config: Config,
  log: Log,
  endOn: Notify,
): Promise<RunningService & { readonly store: Store }> => {
  const makePublisher = await preparePublisher(config)
  const metrics = await metricsOf(config)
  const reportDamage: ReportDamage = (damage) => {
    metrics?.damaged(damage)
    log.warn(damage, 'damaged record')
  }
  const notify: Notify = (notice) => {
    if (notice.level === 'fatal') endOn(notice)
    else logNotify(log)(notice)
  }
  const store =
    config.store._tag === 'memory'
      ? (await import('../adapters/memory/store.js')).makeMemoryStore()
      : await openSharedStore(config, config.store, { reportDamage, notify, observer: metrics?.storeObserver })
  const publishing = makePublisher && { publisher: (source: string) => makePublisher(source, store, log) }
  const started = await startService({ ...config, documentation }, { store, metrics, log, ...publishing })()
  if (E.isLeft(started)) throw withVariable(asError(started.left.cause))
  return { ...started.right, store }
}
