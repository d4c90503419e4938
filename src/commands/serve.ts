// animal-store serve: runs the service until a signal stops it.

import { type EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { format } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { nodeCrypto } from '../adapters/node/system.js'
import type { Log } from '../adapters/pino/log.js'
import { missingStoreFolder } from '../composition/configured-adapters.js'
import type { ServiceLog } from '../composition/service-log.js'
import { whenAvailable } from '../composition/when-available.js'
import { type Config, settingTexts, storeText } from '../config/config.js'
import { SCOPES } from '../domain/api-keys/api-key.js'
import { issueFirstApiKey } from '../domain/api-keys/create-api-key.js'
import { asError, memberOf } from '../domain/thrown.js'
import { visible } from '../domain/visible.js'
import type { ApiKeyStore } from '../ports/api-key-store.js'
import type { Clock } from '../ports/clock.js'
import type { Notice } from '../ports/notice.js'
import type { Store } from '../ports/store.js'
import { type Command, DONE, FAILED, type Output, STORE_LOST } from './command.js'
import { withdrawKey } from './keys.js'
import { logAudit } from './store-command.js'

/** None for MongoDB: several instances may start at once, and log collectors would store the key. */
const FIRST_KEYS: Readonly<Record<Config['store']['_tag'], { heading: string; another: string } | undefined>> = {
  memory: { heading: 'API key (gone when this process ends)', another: 'restart the service to get one' },
  embedded: { heading: 'API key (shown this once)', another: 'create one with animal-store keys create' },
  mongodb: undefined,
}

/** Creates the first key or, on MongoDB, logs how to create one. Only `output` shows the key, never the log. */
export const announceKeys = async (
  apiKeys: ApiKeyStore,
  service: { kind: Config['store']['_tag']; url: string; signal: AbortSignal; clock: Clock },
  log: Omit<ServiceLog, 'request'>,
  output: Pick<Output, 'notice'>,
): Promise<void> => {
  const { kind, url, signal, clock } = service
  const firstKey = FIRST_KEYS[kind]
  if (firstKey === undefined) {
    const keys = await whenAvailable(() => apiKeys.list(), signal)
    if (keys?.length === 0) log.warn({ command: 'animal-store keys create' }, 'no API key yet: the command creates one')
    return
  }
  const ports = { apiKeys, clock, crypto: nodeCrypto }
  const create = issueFirstApiKey(ports)({ name: O.some('first key'), scopes: SCOPES, lifetimeMs: O.none })
  const first = await create()
  if (E.isLeft(first)) log.error({ err: first.left.cause }, 'the first key could not be created yet')
  const issued = E.isRight(first) ? first.right : await whenAvailable(create, signal)
  if (issued === undefined || O.isNone(issued)) return
  const { key, text } = issued.value
  logAudit(log, { message: 'key created', key })
  // zsh would take the brackets of an IPv6 address for a pattern
  const address = url.includes('[') ? `"${url}/pets"` : `${url}/pets`
  const notice = `${firstKey.heading}: ${text}\nTry it:  curl -H "Authorization: Bearer ${text}" ${address}`
  const shown = await TE.tryCatch(() => output.notice(notice), asError)()
  if (E.isRight(shown)) return
  const message = await withdrawKey({ apiKeys, clock }, key)()
  log.error({ err: shown.left, keyId: key.id }, `${message}; ${firstKey.another}`)
}

/** npm forwards a Ctrl-C that the terminal has already sent to us; on a busy machine, hundreds of milliseconds later. */
const ECHO_MS = 1_000

type SignalMeaning = 'stop' | 'echo' | 'end at once'

/** Interprets signals in the order of their arrival: the first stops the service, and a second ends it at once. */
export const signalReader = ({ monotonicMs }: Pick<Clock, 'monotonicMs'>) => {
  let first: { readonly signal: NodeJS.Signals; readonly atMs: number } | undefined
  return (signal: NodeJS.Signals): SignalMeaning => {
    if (first === undefined) {
      first = { signal, atMs: monotonicMs() }
      return 'stop'
    }
    return signal === first.signal && monotonicMs() - first.atMs <= ECHO_MS ? 'echo' : 'end at once'
  }
}

/** Milliseconds for the last commit and log lines if the process must exit at once. */
const LAST_WRITES_MS = 200

const MAX_CONSOLE_LENGTH = 1_000

/** Drivers write to the console, possibly what a server has sent, between the JSON lines. Returns the way back. */
export const consoleTo = (log: Pick<Log, 'warn'>): (() => void) => {
  const { log: out, error, warn, info } = console
  const write = (...values: readonly unknown[]): void =>
    log.warn({ text: visible(format(...values).slice(0, MAX_CONSOLE_LENGTH)) }, 'a library wrote to the console')
  Object.assign(console, { log: write, error: write, warn: write, info: write })
  return () => void Object.assign(console, { log: out, error, warn, info })
}

const flushed = (log: Log): Promise<void> => new Promise((resolve) => log.flush(() => resolve()))

export const serve: Command = {
  usage: 'serve',
  summary: 'run the service; its settings are environment variables: see docs/configuration.md, and animal-store check',
  // log readers must learn of a start that fails before the log is configured
  refused: async (problems, environment) => {
    if (environment['LOG_LEVEL'] === 'silent') return
    const { makeLog } = await import('../composition/start-configured.js')
    const log = await makeLog({ logLevel: 'fatal' })
    log.fatal({ problems }, 'the service could not start')
    await flushed(log)
  },
  run: async (_args, config, output, clock, environment) => {
    let log: Log | undefined
    let store: Store | undefined
    let restoreConsole = (): void => {}
    let hasEnded = false
    /** Not logged yet. */
    let hangUps = 0
    /** Logs only the first reason why the process ends; later ones are consequences. */
    const logEnd = (details: object, message: string): void => {
      if (!hasEnded) log?.fatal(details, message)
      hasEnded = true
    }
    const endAtOnce = async (details: object, message: string, code = FAILED): Promise<never> => {
      logEnd(details, message)
      try {
        await Promise.race([Promise.all([store?.close(), log && flushed(log)]), sleep(LAST_WRITES_MS)])
      } finally {
        process.exit(code)
      }
    }
    const endOn = ({ message, needsOperator, details }: Notice): void =>
      void endAtOnce(details, message, needsOperator === true ? STORE_LOST : FAILED)

    const stopping = new AbortController()
    const meaningOf = signalReader(clock)
    const stop = (signal: NodeJS.Signals): void => {
      const meaning = meaningOf(signal)
      if (meaning === 'end at once') void endAtOnce({ signal }, 'a second signal ends the service at once')
      if (meaning === 'stop') stopping.abort(signal)
    }
    const logHangUps = (): void => {
      for (; log !== undefined && hangUps > 0; hangUps -= 1) log.info({ signal: 'SIGHUP' }, 'SIGHUP is ignored')
    }
    const listeners: Readonly<Record<string, Parameters<EventEmitter['on']>[1]>> = {
      SIGTERM: stop,
      SIGINT: stop,
      // sent by log rotation or a closed terminal; by default it would end the process
      SIGHUP: () => {
        hangUps += 1
        logHangUps()
      },
      uncaughtException: (error: Error, origin: NodeJS.UncaughtExceptionOrigin) => {
        // the terminal or the reader of the log is gone, so nothing can be reported
        const isLostOutput = memberOf(error, 'syscall') === 'write' && memberOf(error, 'code') === 'EIO'
        if (hasEnded || isLostOutput) return
        if (log === undefined) output.message(error.message)
        void endAtOnce({ err: error, origin }, 'uncaught error')
      },
    }
    for (const [event, receive] of Object.entries(listeners)) process.on(event, receive)
    try {
      // loaded only here, because it is most of the program and no other command needs it
      const { makeLog, startConfigured } = await import('../composition/start-configured.js')
      log = await makeLog(config)
      restoreConsole = consoleTo(log)
      logHangUps()
      log.info({ store: storeText(config.store) }, 'starting')
      const folder = await missingStoreFolder(config)
      if (folder !== undefined) log.warn({ folder }, 'there is no store: creating a new one')
      log.debug({ settings: settingTexts(environment, config) }, 'settings')
      if (config.store._tag === 'memory') {
        output.message('STORE=memory keeps data only until this process ends; use it for tests and demos')
      }
      const service = await startConfigured(config, log, endOn)
      store = service.store
      const { signal } = stopping
      void announceKeys(store.apiKeys, { kind: config.store._tag, url: service.url, signal, clock }, log, output)
      if (!signal.aborted) await once(signal, 'abort')
      const seconds = (config.drainMs + config.shutdownMs) / 1_000
      log.info({ signal: String(signal.reason), upToSeconds: seconds }, 'stopping')
      // SIGINT means Ctrl-C, so a person is watching
      if (signal.reason === 'SIGINT') {
        output.message(`stopping, up to ${seconds} s; press Ctrl-C again to stop immediately`)
      }
      const isComplete = await service.stop()
      if (!isComplete) logEnd({ shutdownSeconds: config.shutdownMs / 1_000 }, 'the stop has cut off requests')
      await flushed(log)
      return isComplete ? DONE : FAILED
    } catch (error) {
      logEnd({ err: error }, store === undefined ? 'the service could not start' : 'the service has failed')
      if (log !== undefined) await flushed(log)
      throw error
    } finally {
      restoreConsole()
      for (const [event, receive] of Object.entries(listeners)) process.off(event, receive)
    }
  },
}
