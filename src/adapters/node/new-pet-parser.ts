// Parses the bodies of creates: long ones in a thread of their own, so that requests with short bodies do not wait for them.
import { Worker } from 'node:worker_threads'
import * as E from 'fp-ts/lib/Either.js'
import { unavailable } from '../../domain/errors.js'
import { type ParsedNewPet, type ParseNewPet, parseNewPetJson } from '../../domain/pets/pet-json.js'
import type { Notify } from '../../ports/notice.js'

/** The thread says when it accepts bodies, and then replies to each in order. */
export type ThreadMessage =
  | { readonly _tag: 'Ready' }
  | { readonly _tag: 'Parsed'; readonly parsed: ParsedNewPet; readonly body: Uint8Array }

/** No pet needs so many bytes. Parsing takes up to 6 ms; handing them to a thread takes less than 1 ms (measured). */
const LONG_BODY_BYTES = 32_768

/** Memory of the thread per MiB of the longest body: a third above the measured worst case, an object of many names. */
const HEAP_MIB_PER_MIB = 24
const MIB = 1_048_576

/** Milliseconds that a body waits for those before it: a request gets its reply within five seconds. */
const WAIT_MS = 2_000

/** Milliseconds without a long body after which the thread ends. */
const IDLE_MS = 10_000

export interface NewPetParserSettings {
  readonly maxBodyBytes: number
  /** Receives one notice if no thread can be started. */
  readonly notify: Notify
  /** The program of the thread. */
  readonly program?: URL
}

export interface NewPetParser {
  readonly parse: ParseNewPet
  /** Ends the thread, once no caller waits for it. */
  readonly close: () => void
}

interface Thread {
  readonly worker: Worker
  isReady: boolean
}

interface Call {
  readonly body: Uint8Array
  /** On the monotonic clock, in milliseconds. */
  readonly arrivedAt: number
  readonly resolve: (parsed: ParsedNewPet) => void
  readonly reject: (cause: unknown) => void
}

/** The same bytes in memory of their own, which can be moved to a thread. */
const movable = (body: Uint8Array): Uint8Array<ArrayBuffer> =>
  body.buffer instanceof ArrayBuffer && body.byteLength === body.buffer.byteLength
    ? new Uint8Array(body.buffer)
    : new Uint8Array(body)

/** `Unavailable` if other bodies take too long; rejects if the thread fails on the body. Without a thread, bodies are parsed here. */
export const makeNewPetParser = ({ maxBodyBytes, notify, program }: NewPetParserSettings): NewPetParser => {
  let waiting: Call[] = []
  let current: Call | undefined
  let thread: Thread | undefined
  let isNoticed = false
  let idle: NodeJS.Timeout | undefined

  const parseHere = ({ body, resolve }: Call, reason: unknown): void => {
    const message = 'long bodies hold up other requests: no thread can be started'
    if (!isNoticed) notify({ level: 'warn', message, details: { reason: String(reason) } })
    isNoticed = true
    resolve(parseNewPetJson(body))
  }

  const post = ({ worker }: Thread, { body }: Call): void => {
    const moved = movable(body)
    worker.postMessage(moved, [moved.buffer])
  }

  const failed = (reason: unknown): void => {
    const wasReady = thread?.isReady === true
    thread = undefined
    if (current !== undefined && wasReady) current.reject(reason)
    else if (current !== undefined) parseHere(current, reason)
    next()
  }

  const start = (): Thread => {
    let failure: unknown = new Error('the thread that parses long bodies has ended')
    // a bundle of CommonJS does not know where it is: then bodies are parsed here
    const worker = new Worker(program ?? new URL('./parsing-thread.js', import.meta.url), {
      // without secrets, and without what the process loads first, such as tracing
      execArgv: [],
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: HEAP_MIB_PER_MIB * Math.ceil(maxBodyBytes / MIB),
        // a small young generation is slightly slower, but needs a sixth less memory (measured)
        maxYoungGenerationSizeMb: 8,
      },
    })
    const started: Thread = { worker, isReady: false }
    // a waiting client keeps the process running; the thread does not
    worker.unref()
    worker.on('message', (message: ThreadMessage) => {
      if (message._tag === 'Ready') {
        started.isReady = true
        if (current !== undefined) post(started, current)
        return
      }
      current?.resolve(message.parsed)
      next()
    })
    // `exit` follows
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      if (thread === started) failed(failure)
    })
    return started
  }

  const end = (): void => {
    clearTimeout(idle)
    void thread?.worker.terminate()
    thread = undefined
  }

  /** The shortest body, so that a client that sends the longest ones delays mainly its own. */
  const takeNext = (): Call | undefined => {
    const oldest = performance.now() - WAIT_MS
    const isLate = ({ arrivedAt }: Call): boolean => arrivedAt < oldest
    for (const { resolve } of waiting.filter(isLate)) {
      resolve(E.left(unavailable(new Error(`other long bodies took more than ${WAIT_MS} ms to parse`))))
    }
    waiting = waiting.filter((call) => !isLate(call))
    let shortest: Call | undefined
    for (const call of waiting) if (shortest === undefined || call.body.length < shortest.body.length) shortest = call
    waiting = waiting.filter((call) => call !== shortest)
    return shortest
  }

  const next = (): void => {
    clearTimeout(idle)
    current = takeNext()
    if (current === undefined) {
      idle = setTimeout(end, IDLE_MS).unref()
      return
    }
    try {
      thread ??= start()
      if (thread.isReady) post(thread, current)
    } catch (cause) {
      failed(cause)
    }
  }

  const parseInThread = (body: Uint8Array): Promise<ParsedNewPet> =>
    new Promise((resolve, reject) => {
      waiting.push({ body, arrivedAt: performance.now(), resolve, reject })
      if (current === undefined) next()
    })

  const parse: ParseNewPet = (body) => (body.length < LONG_BODY_BYTES ? parseNewPetJson(body) : parseInThread(body))

  return { parse, close: end }
}
