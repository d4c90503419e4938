// The steps of the two relays: they read the record and the log, publish, save, and take over from each other.
import { local, views } from './database.js'
import type { Step } from './explore.js'
import {
  collect,
  FORGOTTEN,
  LOG,
  REPLAYED,
  type Relay,
  type RelayRules,
  type RelayState,
  savedOf,
} from './relay-state.js'

export const relaySteps = (state: RelayState, rules: RelayRules): readonly Step<RelayState>[] => {
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
    // a take-over is a save by whoever has just read the record: another save in between makes it fail
    const isFree = now.holder === ''
    if (saved === null && now.holder !== name && (isFree || left.takeOvers > 0))
      store(
        `${name} takes over`,
        { holder: name, version: now.version + 1 },
        {
          left: isFree ? left : { ...left, takeOvers: left.takeOvers - 1 },
        },
      )
    if (saved === null) {
      for (const [contents, from] of views(database, rules))
        if (contents.holder === name)
          step(
            `${name} reads the record${from}`,
            set({ saved: savedOf(contents), done: Math.max(contents.position, relay.done) }),
          )
      continue
    }
    step(`${name} has no answer to its save, or starts again`, set(rules.forgets ? FORGOTTEN : { ...FORGOTTEN, done }))
    // it keeps what it did while it waited
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
