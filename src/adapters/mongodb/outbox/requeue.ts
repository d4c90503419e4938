// Makes events unsent again in batches, so that every command stays short.
import type { Collection } from 'mongodb'
import type { Requeue } from '../../../ports/outbox.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { freshlyUnsent, PARKED, type PetDocument } from '../documents/pet-document.js'

const BATCH = 1_000

type CreatedBetween = Extract<Requeue, { readonly _tag: 'CreatedBetween' }>

/** Requeues the events in [from, to); returns their number. */
export const requeueCreatedBetween = async (
  pets: Collection<PetDocument>,
  { from, to }: CreatedBetween,
): Promise<number> => {
  let requeued = 0
  // a keyset over (time, id) skips events that are already requeued, even if many share one instant
  let position: { readonly time: Date; readonly id: bigint } | undefined
  for (;;) {
    const filter = {
      'event.time': { $gte: position?.time ?? new Date(from), $lt: new Date(to) },
      ...(position !== undefined && {
        $or: [{ 'event.time': { $gt: position.time } }, { _id: { $gt: position.id } }],
      }),
    }
    const sort = { 'event.time': 1, _id: 1 } as const
    const documents = await repeatStep(() =>
      pets.find(filter, { projection: { 'event.time': 1 }, sort, limit: BATCH }).toArray(),
    )
    const last = documents.at(-1)
    if (last === undefined) return requeued
    const batch = { _id: { $in: documents.map(({ _id }) => _id) } }
    requeued += (await repeatStep(() => pets.updateMany(batch, { $set: { unsent: freshlyUnsent() } }))).matchedCount
    if (documents.length < BATCH) return requeued
    position = { time: last.event.time, id: last._id }
  }
}

/** Requeues the events that are parked now; returns their number. */
export const requeueParked = async (pets: Collection<PetDocument>): Promise<number> => {
  // reads all ids first, so that events that are parked again meanwhile do not keep the loop running
  const parked = await repeatStep(() => pets.find(PARKED, { projection: { _id: 1 } }).toArray())
  const ids = parked.map(({ _id }) => _id)
  for (let at = 0; at < ids.length; at += BATCH) {
    const batch = { _id: { $in: ids.slice(at, at + BATCH) }, ...PARKED }
    await repeatStep(() => pets.updateMany(batch, { $set: { unsent: freshlyUnsent() } }))
  }
  return ids.length
}
