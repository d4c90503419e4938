// Decides which relay of a store runs. Compares no clocks: a relay that is silent for its own lease is taken for dead.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { DurationMs } from '../../domain/codecs/instant.js'
import type { Unavailable } from '../../domain/errors.js'
import { unusedAtEnd } from '../../domain/events/backlog.js'
import { nextVersion, type RelayRecord } from '../../domain/events/relay-record.js'
import type { Ports } from '../../ports/index.js'

/**
 * Resolves to the record if this relay may run now; otherwise call it again later. The lease of another relay ends when its record
 * has not changed for the time that the record itself names, by the monotonic clock of this process.
 */
export const makeLease = (
  ports: Pick<Ports, 'log' | 'relay' | 'clock' | 'crypto'>,
  { leaseMs, startsAfter }: { readonly leaseMs: DurationMs; readonly startsAfter?: number | undefined },
): TaskEither<Unavailable, O.Option<RelayRecord>> => {
  const { log, relay, clock, crypto } = ports
  const holder = crypto.uuid()
  let start = startsAfter
  let seen = { version: 0, at: 0 }

  const isFree = (record: RelayRecord): boolean => {
    if (record.holder === undefined) return true
    const now = clock.monotonicMs()
    if (record.version !== seen.version) seen = { version: record.version, at: now }
    return now - seen.at >= record.leaseMs
  }

  const firstRecord: TaskEither<Unavailable, RelayRecord> = async () => {
    const head = start === undefined ? await log.head() : E.right({ last: start })
    if (E.isLeft(head)) return head
    start = head.right.last
    return unusedAtEnd(ports, start)()
  }

  return async () => {
    const loaded = await relay.load()
    if (E.isLeft(loaded)) return loaded
    const known = O.isSome(loaded.right) ? E.right(loaded.right.value) : await firstRecord()
    if (E.isLeft(known)) return known
    const record = known.right
    // another writer has changed the record, and left it to this relay
    if (record.holder === holder) return E.right(O.some(record))
    if (!isFree(record)) return E.right(O.none)
    const taken = nextVersion(record, { holder, leaseMs })
    const saved = await relay.save(taken)()
    if (E.isLeft(saved)) return saved
    return E.right(saved.right ? O.some(taken) : O.none)
  }
}

/** Waits for what is sent, and saves from time to time meanwhile, because a slow receiver may take longer than the lease. */
export const renewing = async <A>(
  sending: Promise<A>,
  save: () => Promise<unknown>,
  intervalMs: DurationMs,
): Promise<A> => {
  let renewed = Promise.resolve<unknown>(undefined)
  const timer = setInterval(() => {
    renewed = renewed.then(() => save())
  }, intervalMs)
  const result = await sending.finally(() => clearInterval(timer))
  await renewed
  return result
}
