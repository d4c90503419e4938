// Parses the bodies of creates: long ones in a thread of their own, so that no other request waits for them.
import { Worker } from 'node:worker_threads'
import type { Either } from 'fp-ts/lib/Either.js'
import type { ValidationFailed } from '../../domain/errors.js'
import { type MalformedJson, parseJsonBytes } from '../../domain/json/parse-json.js'
import type { Notify } from '../../ports/notice.js'

export type ParsedNewPet = Either<MalformedJson | ValidationFailed, unknown>

/** No pet needs so many bytes. They take up to 15 ms to parse, and less than 1 ms to pass to a thread (measured). */
const LONG_BODY_BYTES = 131_072

/** Memory of the thread per MiB of the longest body: twice what arrays in arrays take (measured). */
const HEAP_MIB_PER_MIB = 64
const MIB = 1_048_576

/** Milliseconds without a long body after which the thread ends. */
const IDLE_MS = 10_000

export interface NewPetParserSettings {
  readonly maxBodyBytes: number
  /** Receives one notice if no thread can be started. */
  readonly notify: Notify
  /** The program of the thread, which replies to each body with its `ParsedNewPet`. */
  readonly program?: URL
}

interface Call {
  readonly body: Uint8Array
  readonly resolve: (parsed: ParsedNewPet) => void
  readonly reject: (cause: unknown) => void
}

/**
 * One long body after the other. A body on which the thread fails, such as for lack of memory, is rejected. If no thread can be
 * started, bodies are parsed here.
 */
const makeThread = ({ maxBodyBytes, notify, program }: Required<NewPetParserSettings>) => {
  const waiting: Call[] = []
  let isNoticed = false
  let current: Call | undefined
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined

  const end = (): void => {
    void worker?.terminate()
    worker = undefined
  }

  const parseHere = ({ body, resolve }: Call, reason: unknown): void => {
    const details = { reason: String(reason) }
    if (!isNoticed)
      notify({ level: 'warn', message: 'long bodies hold up other requests: no thread can be started', details })
    isNoticed = true
    resolve(parseJsonBytes(body))
  }

  const start = (): Worker => {
    let hasReplied = false
    let failure: unknown = new Error('the thread that parses long bodies has ended')
    const started = new Worker(program, {
      // without what the process loads first, such as tracing
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB_PER_MIB * Math.ceil(maxBodyBytes / MIB) },
    })
    // a waiting client keeps the process running; the thread does not
    started.unref()
    started.on('message', (parsed: ParsedNewPet) => {
      hasReplied = true
      current?.resolve(parsed)
      next()
    })
    // `exit` follows
    started.on('error', (error) => {
      failure = error
    })
    started.on('exit', () => {
      if (worker !== started) return
      worker = undefined
      if (hasReplied) current?.reject(failure)
      else if (current !== undefined) parseHere(current, failure)
      next()
    })
    return started
  }

  const next = (): void => {
    clearTimeout(idle)
    current = waiting.shift()
    if (current === undefined) {
      idle = setTimeout(end, IDLE_MS).unref()
      return
    }
    worker ??= start()
    worker.postMessage(current.body)
  }

  return (body: Uint8Array): Promise<ParsedNewPet> =>
    new Promise((resolve, reject) => {
      waiting.push({ body, resolve, reject })
      if (current === undefined) next()
    })
}

export const makeNewPetParser = ({
  maxBodyBytes,
  notify,
  program = new URL('./parsing-thread.js', import.meta.url),
}: NewPetParserSettings): ((body: Uint8Array) => ParsedNewPet | Promise<ParsedNewPet>) => {
  const parseInThread = makeThread({ maxBodyBytes, notify, program })
  return (body) => (body.length < LONG_BODY_BYTES ? parseJsonBytes(body) : parseInThread(body))
}
