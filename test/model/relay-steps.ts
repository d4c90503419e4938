// The steps of the two relays: they read the record and the log, publish, save, and take over from each other.
import { local, views } from './database.js'
import type { Step } from './explore.js'
import {
  at,
  collect,
  FORGOTTEN,
  merge,
  NONE,
  put,
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
    const { saved, done, ahead, awaits } = relay
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
        if (contents.holder === name) step(`${name} reads the record${from}`, set({ saved: savedOf(contents) }))
      continue
    }
    const forgotten = { ...FORGOTTEN, ahead: rules.forgets === 'all' ? '' : ahead }
    step(`${name} has no answer to its save, or starts again`, set(forgotten))
    if (awaits?.unsynced === 0) {
      // it keeps what it did while it waited
      const rest = merge(done, awaits.record.pending, (one, pending) => (pending === '1' ? one : '.'))
      step(`${name} learns that it saved`, set({ saved: awaits.record, done: rest, awaits: null }))
    }
    for (const [{ log }, from] of views(database, rules)) {
      if (ahead === '') step(`${name} reads ahead${from}: ${log}`, set({ ahead: log }))
    }
    const number = [1, 2].find((each) => at(saved.pending, each) === '1' && at(done, each) === '.') ?? 3
    if (at(ahead, number) === 'v') step(`${name} passes ${number}`, set({ done: put(done, number, 's') }))
    else if (number <= ahead.length) {
      step(`${name} publishes ${number}`, {
        ...set({ done: put(done, number, 's') }),
        published: put(published, number, 's'),
        replay: { ...replay, isPublished: replay.steps > 0 && (replay.isPublished || number === REPLAYED) },
      })
    }
    if (done !== NONE && awaits === null && saves.length < 2) {
      const record = {
        pending: merge(saved.pending, done, (one, each) => (each === '.' ? one : '0')),
        holder: name,
        version: saved.version + 1,
      }
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
      const forgotten = response(({ ahead }) => ({ ...FORGOTTEN, ahead: rules.forgets === 'all' ? '' : ahead }))
      step(`a save of ${record.holder} fails`, { saves: rest, relays: forgotten })
    }
  }
  return steps
}
