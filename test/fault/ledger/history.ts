// The requests and responses of a fault run, and the model that they must fit.
//
// An idempotency key is a write-once register: the first create under the key that takes effect sets its pet.
// From then on, every create under the key, through either instance, gets that pet (201), or 422 for another NewPet.
// An attempt without a response, or with 408 or 503, may take effect later or never. Each value has its own name, so
// a register's history is linearizable if and only if all responses agree on one value that was proposed before the
// first of them ended. Ids come from one counter, in real-time order: a create that got its response before another
// was first sent has the smaller id. One process sends all requests, so one monotonic clock measures both orders.
import * as t from 'io-ts'
import { Pet, petJson } from '../../../src/domain/pets/pet.js'
import { exactJson } from '../../support/documents/exact-json.js'

export interface Attempt {
  readonly key: string
  /** The name of the requested pet, which no other key requests. */
  readonly name: string
  /** Milliseconds of a monotonic clock. */
  readonly start: number
  readonly end: number
  /** 0 if there was no response. */
  readonly status: number
  readonly text: string
  readonly isReplayed: boolean
}

export interface History {
  readonly attempts: readonly Attempt[]
  /** The ids that each follower has seen, from the start of the log. */
  readonly followed: readonly (readonly bigint[])[]
  /** Newest first, at the end of the run. */
  readonly stored: readonly Pet[]
}

const Pets = t.array(Pet)

export const petsIn = (text: string): readonly Pet[] => {
  const pets = Pets.decode(exactJson(text))
  if (pets._tag === 'Left') throw new Error(`expected pets: ${text.slice(0, 200)}`)
  return pets.right
}

const isAscending = (ids: readonly bigint[]): boolean => ids.every((id, at) => at === 0 || id > (ids[at - 1] ?? 0n))

/** A walk through all pages misses and repeats no pet. `before`: the ids acknowledged when the walk began. */
export const violationsOfWalk = (ids: readonly bigint[], before: readonly bigint[]): readonly string[] => {
  const seen = new Set(ids)
  const missed = before.filter((id) => !seen.has(id))
  return [
    ...(isAscending(ids.toReversed()) ? [] : ['a walk saw ids out of order, or twice']),
    ...(missed.length === 0 ? [] : [`a walk of ${ids.length} pets missed ${missed.slice(0, 5).join()}`]),
  ]
}

interface Settled {
  readonly id: bigint
  /** When a create of the pet was first sent, and when one first got a response. */
  readonly start: number
  readonly end: number
}

/** 408: after a freeze, a process may find that a request took too long to arrive; it then stores nothing. */
const KNOWN = new Set([0, 201, 408, 422, 503])

export const isOpen = (status: number): boolean => status === 0 || status === 408 || status === 503

const violationsOfKey = (key: string, attempts: readonly Attempt[], byName: ReadonlyMap<string, Pet>) => {
  const faults: string[] = []
  const names = new Set(attempts.map(({ name }) => name))
  const winners = [...names].filter((name) => byName.has(name))
  const [winner] = winners
  const pet = winner === undefined ? undefined : byName.get(winner)
  if (winners.length > 1) faults.push(`key ${key}: it has several pets, ${winners.join()}`)
  const created = attempts.filter(({ status }) => status === 201)
  for (const { name, text } of created) {
    if (pet === undefined) faults.push(`key ${key}: an acknowledged pet is lost, ${text}`)
    else if (text !== petJson(pet) || name !== winner)
      faults.push(`key ${key}: ${text} was answered, ${petJson(pet)} is stored`)
  }
  const original = created.filter(({ isReplayed }) => !isReplayed)
  if (original.length > 1) faults.push(`key ${key}: ${original.length} answers say that they added the pet`)
  const refused = attempts.filter(({ status }) => status === 422)
  if (refused.some(({ name }) => name === winner || winner === undefined)) {
    faults.push(`key ${key}: 422 for ${winner === undefined ? 'a key without a pet' : 'the pet that holds the key'}`)
  }
  const proposals = attempts.filter(({ name }) => name === winner)
  const start = Math.min(...proposals.map((one) => one.start))
  const end = Math.min(...created.map((one) => one.end))
  if (Math.min(end, ...refused.map((one) => one.end)) < start)
    faults.push(`key ${key}: answered before its pet was sent`)
  const settled: readonly Settled[] = pet === undefined || created.length === 0 ? [] : [{ id: pet.id, start, end }]
  return { faults, settled }
}

/** An id must exceed every id in a response that arrived before its own create was sent. */
const violationsOfOrder = (settled: readonly Settled[]): readonly string[] => {
  const responded = settled.toSorted((one, other) => one.end - other.end)
  let greatest = 0n
  let at = 0
  return settled
    .toSorted((one, other) => one.start - other.start)
    .flatMap(({ id, start }) => {
      for (let next = responded[at]; next !== undefined && next.end < start; next = responded[at]) {
        if (next.id > greatest) greatest = next.id
        at += 1
      }
      return id > greatest ? [] : [`id ${id} was given after ${greatest} had been answered`]
    })
}

/** Every difference from the model. */
export const violationsOf = ({ attempts, followed, stored }: History): readonly string[] => {
  const byName = new Map(stored.map((pet) => [pet.name, pet]))
  const byKey = new Map<string, Attempt[]>()
  for (const attempt of attempts) byKey.set(attempt.key, [...(byKey.get(attempt.key) ?? []), attempt])
  const keys = [...byKey].map(([key, some]) => violationsOfKey(key, some, byName))
  const sent = new Set(attempts.map(({ name }) => name))
  const ids = stored.map(({ id }) => id).toReversed()
  const log = ids.join()
  return [
    ...attempts.filter(({ status }) => !KNOWN.has(status)).map(({ status, text }) => `status ${status}: ${text}`),
    ...keys.flatMap(({ faults }) => faults),
    ...violationsOfOrder(keys.flatMap(({ settled }) => settled)),
    ...stored.filter(({ name }) => !sent.has(name)).map(({ name }) => `nobody sent the pet ${name}`),
    ...(byName.size === stored.length ? [] : ['a name is stored twice']),
    ...(isAscending(ids) ? [] : ['an id is stored twice, or pages are out of order']),
    ...followed.flatMap((seen, at) => {
      if (!isAscending(seen)) return [`follower ${at} saw events out of order, or twice`]
      const missing = new Set(seen)
      return seen.join() === log
        ? []
        : [`follower ${at} saw ${seen.length} of ${ids.length} events, not ${ids.find((id) => !missing.has(id))}`]
    }),
  ]
}
