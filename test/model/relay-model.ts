// Models two relays that read the record and the log, publish, save and take over from each other, during a replay and
// database failures. The log is fixed and final. The law: no event is lost.
import { collector, commit, type Database, type DatabaseRules, fail, local, views } from './database.js'
import type { Model, Step } from './explore.js'

export interface RelayRules extends DatabaseRules {
  /** A save succeeds only if the record still has the version that the relay read. */
  readonly compares: boolean
  /** After a failed save, a relay forgets what it did since the last successful one. */
  readonly forgets: boolean
}

export interface RelayBounds {
  readonly failures: number
  readonly takeOvers: number
  readonly replays: number
}

/** Every event at or below the position was sent. */
interface Saved {
  readonly position: number
  readonly holder: string
  readonly version: number
}

interface Relay {
  /** The record as this relay last read or saved it; null if it stands by or has yet to read the record. */
  readonly saved: Saved | null
  /** The last number that was published and acknowledged, or passed because it is a void. */
  readonly done: number
  /** The pending save, and after it arrived, how many writes must become durable before its reply. */
  readonly awaits: { readonly record: Saved; readonly unsynced: number | null } | null
}

interface Save {
  readonly by: number
  readonly expects: number
  readonly record: Saved
}

interface RelayState {
  readonly database: Database<Saved>
  readonly relays: readonly Relay[]
  /** Saves in flight. A save may arrive after its relay has given up waiting or ended. */
  readonly saves: readonly Save[]
  /** Events that the receiver has acknowledged, by number. */
  readonly published: readonly number[]
  /** The operator's last step, and how many writes must become durable before it is acknowledged. */
  readonly replay: { readonly steps: number; readonly unsynced: number; readonly isPublished: boolean }
  readonly left: RelayBounds
}

/** A pet `p` or a void `v` for each number from 1. */
const LOG = 'pv'
const REPLAYED = 1
const FORGOTTEN: Relay = { saved: null, done: 0, awaits: null }

const initialOf = (left: RelayBounds): RelayState => ({
  database: { durable: { position: 0, holder: 'A', version: 0 }, tail: [] },
  relays: [FORGOTTEN, FORGOTTEN],
  saves: [],
  published: [],
  replay: { steps: 0, unsynced: 0, isPublished: false },
  left,
})

const collect = collector<Saved, RelayState>

const relaySteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
  const { database, relays, saves, published, replay, left } = state
  const now = local(database)
  const { steps, step, store } = collect(state, rules)
  const unsynced = database.tail.length + 1

  for (const [index, relay] of relays.entries()) {
    const name = 'AB'.charAt(index)
    const { saved, done, awaits } = relay
    const set = (changes: Partial<Relay>) => ({
      relays: relays.map((each, other) => (other === index ? { ...each, ...changes } : each)),
    })
    // a take-over fails if the record has changed since it was read, so it is one atomic step
    const isFree = now.holder === ''
    const taken = { left: isFree ? left : { ...left, takeOvers: left.takeOvers - 1 } }
    if (saved === null && now.holder !== name && (isFree || left.takeOvers > 0))
      store(`${name} takes over`, { holder: name, version: now.version + 1 }, taken)
    if (saved === null) {
      for (const [contents, from] of views(database, rules))
        if (contents.holder === name)
          step(
            `${name} reads the record${from}`,
            set({ saved: contents, done: Math.max(contents.position, relay.done) }),
          )
      continue
    }
    step(`${name} has no answer to its save, or starts again`, set(rules.forgets ? FORGOTTEN : { ...FORGOTTEN, done }))
    // `done` keeps what the relay did while it waited
    if (awaits?.unsynced === 0) step(`${name} learns that it saved`, set({ saved: awaits.record, awaits: null }))
    const number = done + 1
    const kind = LOG.charAt(done)
    if (kind === 'v') step(`${name} passes ${number}`, set({ done: number }))
    if (kind === 'p')
      step(`${name} publishes ${number}`, {
        ...set({ done: number }),
        published: [...new Set([...published, number])].sort(),
        replay: { ...replay, isPublished: replay.steps > 0 && (replay.isPublished || number === REPLAYED) },
      })
    if (done > saved.position && awaits === null && saves.length < 2) {
      const record = { position: done, holder: name, version: saved.version + 1 }
      const save = { by: index, expects: saved.version, record }
      step(`${name} saves`, { ...set({ awaits: { record, unsynced: null } }), saves: [...saves, save] })
    }
  }

  for (const [index, save] of saves.entries()) {
    const { by, expects, record } = save
    const rest = saves.toSpliced(index, 1)
    const response = (changes: (relay: Relay) => Partial<Relay>): readonly Relay[] =>
      relays.map((each, other) =>
        other === by && each.awaits?.record.version === record.version ? { ...each, ...changes(each) } : each,
      )
    if (now.version === expects || !rules.compares) {
      const stored = response(({ awaits }) => ({ awaits: awaits && { ...awaits, unsynced } }))
      store(`a save of ${record.holder} arrives`, record, { saves: rest, relays: stored })
    } else {
      const forgotten = response(({ done }) => (rules.forgets ? FORGOTTEN : { ...FORGOTTEN, done }))
      step(`a save of ${record.holder} fails`, { saves: rest, relays: forgotten })
    }
  }
  return steps
}

/** Also fits a standalone server, which confirms its reads with its own journal. */
export const ON_REPLICA_SET: RelayRules = {
  database: 'replica set',
  reads: 'majority',
  maxTail: 2,
  compares: true,
  forgets: true,
}

const outerSteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
  const { database, relays, replay, left } = state
  const { steps, step, store } = collect(state, rules)
  const { position, version } = local(database)
  if (left.replays > 0 && replay.steps === 0)
    store(
      `a replay goes back before ${REPLAYED}`,
      { position: Math.min(position, REPLAYED - 1), version: version + 1 },
      { replay: { steps: 1, unsynced: database.tail.length + 1, isPublished: false } },
    )
  if (database.tail.length > 0)
    step('the oldest write is durable', {
      database: commit(database),
      relays: relays.map((relay) => ({
        ...relay,
        awaits: relay.awaits && { ...relay.awaits, unsynced: relay.awaits.unsynced && relay.awaits.unsynced - 1 },
      })),
      replay: { ...replay, unsynced: Math.max(0, replay.unsynced - 1) },
    })
  for (let kept = 0; kept <= database.tail.length && left.failures > 0; kept += 1)
    step(`the database fails; of ${database.tail.length} writes ${kept} remain`, {
      database: fail(database, rules, kept),
      left: { ...left, failures: left.failures - 1 },
      relays: relays.map((relay) => ((relay.awaits?.unsynced ?? 0) > kept ? FORGOTTEN : relay)),
      // the operator repeats a lost step
      replay: replay.unsynced > kept ? { ...replay, steps: 0, unsynced: 0 } : replay,
    })
  const { former, ...current } = database
  if (former !== undefined) step('the former primary learns that it was deposed', { database: current })
  return steps
}

const broken = ({ database, published, replay }: RelayState): string | undefined => {
  for (const { position } of [database.durable, local(database)]) {
    const passed = Array.from(LOG).flatMap((kind, at) => (kind === 'p' && at + 1 <= position ? [at + 1] : []))
    if (passed.some((number) => !published.includes(number))) return 'no event is lost'
    const isReplayed = replay.steps === 1 && replay.unsynced === 0
    if (isReplayed && !replay.isPublished && position >= REPLAYED) return 'nothing undoes a replay'
  }
  return undefined
}

export const relayModel = (rules: RelayRules, bounds: RelayBounds): Model<RelayState> => ({
  initial: initialOf(bounds),
  steps: (state) => [...relaySteps(state, rules), ...outerSteps(state, rules)],
  broken,
  isComplete: ({ database: { durable, tail }, saves }) =>
    tail.length === 0 && saves.length === 0 && durable.position === LOG.length,
})
