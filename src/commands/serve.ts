// animal-store serve: runs the service until a signal stops it.

import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../adapters/pino/json-log.js'
import { type Config, settingTexts, storeText } from '../config/config.js'
import { memberOf } from '../domain/thrown.js'
import type { Clock } from '../ports/clock.js'
import type { Store } from '../ports/store.js'
import { type Command, DONE, FAILED, type Output } from './command.js'
import { announceKeys } from './keys/first-key.js'

/** A second signal within this time is a duplicate: npm forwards a Ctrl-C that the terminal has already sent to both processes. */
const ECHO_MS = 50

/** Time for the last commit of the store and the last lines of the log if the process has to exit at once. */
const LAST_WRITES_MS = 200

/** The parts that an exit has to complete. */
interface Open {
  store?: Store
  log?: Log
  /** Whether the log has the reason of the end. */
  hasEnded?: boolean
}

/** The terminal or the reader of the log is gone, so nothing can be reported. */
const isLostOutput = (error: unknown): boolean =>
  memberOf(error, 'syscall') === 'write' && memberOf(error, 'code') === 'EIO'

const flushed = (log: Log): Promise<void> => new Promise((resolve) => log.flush(() => resolve()))

/** Logs why the process ends, once; what follows from that is no other reason. */
const logEnd = (open: Open, details: object, message: string): void => {
  if (open.hasEnded === true) return
  open.hasEnded = true
  open.log?.fatal(details, message)
}

const exitAtOnce = async (open: Open, details: object, message: string): Promise<never> => {
  const { store, log } = open
  logEnd(open, details, message)
  try {
    await Promise.race([Promise.all([store?.close(), log && flushed(log)]), sleep(LAST_WRITES_MS)])
  } finally {
    process.exit(FAILED)
  }
}

/** Listens to events of the process until the returned function is called. */
const onProcess = (events: readonly string[], receive: Parameters<EventEmitter['on']>[1]): (() => void) => {
  for (const event of events) process.on(event, receive)
  return () => {
    for (const event of events) process.off(event, receive)
  }
}

type EndAtOnce = (details: object, message: string) => Promise<never>

interface StopSignal {
  /** The first signal that requests a stop. */
  readonly received: Promise<NodeJS.Signals>
  readonly unlisten: () => void
}

const listenForStop = (clock: Clock, endAtOnce: EndAtOnce): StopSignal => {
  let resolve = (_: NodeJS.Signals): void => {}
  const received = new Promise<NodeJS.Signals>((resolved) => {
    resolve = resolved
  })
  let first: number | undefined
  const unlisten = onProcess(['SIGTERM', 'SIGINT'], (signal: NodeJS.Signals) => {
    first ??= clock.monotonicMs()
    // a second signal means an immediate exit
    if (clock.monotonicMs() - first > ECHO_MS) void endAtOnce({ signal }, 'a second signal ends the service at once')
    resolve(signal)
  })
  return { received, unlisten }
}

const onUncaughtError = (endAtOnce: EndAtOnce): (() => void) => {
  let isEnding = false
  return onProcess(['uncaughtException'], (error: Error, origin: NodeJS.UncaughtExceptionOrigin) => {
    if (isEnding || isLostOutput(error)) return
    isEnding = true
    void endAtOnce({ err: error, origin }, 'uncaught error')
  })
}

const announceStop = (signal: NodeJS.Signals, { drainMs, shutdownMs }: Config, log: Log, output: Output): void => {
  const seconds = (drainMs + shutdownMs) / 1_000
  log.info({ signal, upToSeconds: seconds }, 'stopping')
  // a person pressed Ctrl-C
  if (signal === 'SIGINT') output.message(`stopping, up to ${seconds} s; press Ctrl-C again to stop immediately`)
}

/** What reads the log must learn of a start that fails before the log is configured. */
const logRefusal = async (problems: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> => {
  if (environment['LOG_LEVEL'] === 'silent') return
  const { makeLog } = await import('../composition/start-configured.js')
  const log = await makeLog({ logLevel: 'fatal' })
  log.fatal({ problems }, 'the service could not start')
  await flushed(log)
}

export const serve: Command = {
  usage: 'serve',
  summary: 'run the service; its settings are environment variables: see docs/configuration.md, and animal-store check',
  refused: logRefusal,
  run: async (_args, config, output, clock, environment = {}) => {
    const open: Open = {}
    const endAtOnce: EndAtOnce = (details, message) => exitAtOnce(open, details, message)
    const stop = listenForStop(clock, endAtOnce)
    // a rotation of logs or a closed terminal sends it: by default it would end the process
    const heedHangup = onProcess(['SIGHUP'], () => open.log?.info({ signal: 'SIGHUP' }, 'SIGHUP is ignored'))
    let forgetErrors = (): void => {}
    try {
      // loaded only here: it is most of the program, and the other commands need none of it
      const { makeLog, startConfigured } = await import('../composition/start-configured.js')
      const log = await makeLog(config)
      open.log = log
      forgetErrors = onUncaughtError(endAtOnce)
      log.info({ store: storeText(config.store) }, 'starting')
      log.debug({ settings: settingTexts(environment, config) }, 'settings')
      if (config.store._tag === 'memory') {
        output.message('STORE=memory keeps data only until this process ends; use it for tests and demos')
      }
      const service = await startConfigured(config, log, endAtOnce)
      open.store = service.store
      const keyLookup = new AbortController()
      const settings = { kind: config.store._tag, url: service.url, signal: keyLookup.signal, clock }
      void announceKeys(service.store.apiKeys, settings, log, output)
      announceStop(await stop.received, config, log, output)
      keyLookup.abort()
      const isComplete = await service.stop()
      if (!isComplete) logEnd(open, { shutdownSeconds: config.shutdownMs / 1_000 }, 'the stop has cut off requests')
      await flushed(log)
      return isComplete ? DONE : FAILED
    } catch (error) {
      logEnd(open, { err: error }, open.store === undefined ? 'the service could not start' : 'the service has failed')
      if (open.log !== undefined) await flushed(open.log)
      throw error
    } finally {
      stop.unlisten()
      heedHangup()
      forgetErrors()
    }
  },
}
