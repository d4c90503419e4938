// Brings the position of an export's relay into the store: which of the imported events are still to be sent.
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../../ports/index.js'
import type { Instant } from '../codecs/instant.js'
import type { Unavailable } from '../errors.js'
import { changeRelay, unusedAtEnd } from '../events/backlog.js'
import { eventNumber } from '../events/domain-event.js'
import { isIn, type NumberRange, unite } from '../events/number-ranges.js'
import { joinedWith, type RelayPosition } from '../events/relay-record.js'
import type { ArchiveLine, PetLine } from './archive-line.js'
import type { MergeResult } from './archive-record.js'

type ImportPorts = Pick<Ports, 'log' | 'relay'> & { readonly archive: Pick<Ports['archive'], 'merge'> }

/** The holder of the relay's record while an import runs. */
const HOLDER = 'import'

/** A relay takes over if a batch takes longer, such as after a crash. */
const LEASE_MS = 10_000

const AT_START: RelayPosition = { pending: [], parked: [], hasSent: false }

/** The position of these pets: version 1 states it beside each pet, version 2 in one line. */
const positionOf = (pets: readonly PetLine[], exported: RelayPosition): RelayPosition => {
  const present = new Set<number>()
  const pending: NumberRange[] = []
  const parked: RelayPosition['parked'][number][] = []
  for (const { event, isWaiting, parkedBecause } of pets) {
    const number = eventNumber(event)
    present.add(number)
    if (isWaiting === true || isIn(exported.pending, number)) pending.push([number, number])
    if (parkedBecause !== undefined) parked.push({ number, reason: parkedBecause })
  }
  return {
    pending: unite(pending),
    parked: [...parked, ...exported.parked.filter(({ number }) => present.has(number))],
    hasSent: exported.hasSent,
  }
}

/** The relay of the store stands by until the end. */
export const makePositionImport = ({ archive, log, relay }: ImportPorts) => {
  let exported: RelayPosition = AT_START
  let wasRelayed = false
  let position: RelayPosition = AT_START

  /** The record of a store on which no relay has run: all its own events are left alone. */
  const initial = pipe(
    log.head,
    TE.flatMap(({ last }) => unusedAtEnd({ log }, last)),
  )

  const join = (skipped: readonly NumberRange[]): Promise<E.Either<Unavailable, void>> =>
    changeRelay(
      { relay },
      (record) => ({ ...joinedWith(record, position, skipped), holder: HOLDER, leaseMs: LEASE_MS }),
      wasRelayed ? initial : undefined,
    )

  return {
    /** Call it with each batch of lines, before its records are merged. Merges the state of the store itself. */
    before: async (lines: readonly ArchiveLine[], now: Instant): Promise<E.Either<Unavailable, void>> => {
      const skipped: NumberRange[] = []
      const pets: PetLine[] = []
      for (const line of lines) {
        if (line._tag === 'Pet') pets.push(line)
        if (line._tag === 'Relay') exported = line
        if (line._tag === 'StoreState' && line.hasSent === true) exported = { ...exported, hasSent: true }
        wasRelayed ||= line._tag === 'Relay' || (line._tag === 'StoreState' && line.isRelayed === true)
        if (line._tag !== 'StoreState') continue
        const merged = await archive.merge([{ _tag: 'StoreState', lastId: line.lastId }], now)()
        if (E.isLeft(merged)) return merged
        const raised = (result: MergeResult) => (result._tag === 'Updated' && result.skipped ? [result.skipped] : [])
        skipped.push(...merged.right.flatMap(raised))
      }
      position = positionOf(pets, exported)
      return join(skipped)
    },
    /** Call it when they are merged: a relay that took over meanwhile has passed their numbers. */
    after: () => join([]),
    /** Lets the relay of the store go on. If that fails, it goes on when the lease has ended. */
    end: async (): Promise<void> => {
      await changeRelay({ relay }, ({ holder, ...record }) => (holder === HOLDER ? record : undefined))
    },
  }
}
