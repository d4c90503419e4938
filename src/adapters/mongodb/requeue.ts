// Makes the events of a time unsent again, a thousand to a command, so that no command takes long.
import type { Collection } from 'mongodb'
import type { Instant } from '../../domain/instant.js'
import { freshlyUnsent, type PetDocument } from './pet-document.js'

const BATCH = 1_000

/** Requeues the events of [from, to); says how many. */
export const requeueCreatedBetween = async (
  pets: Collection<PetDocument>,
  from: Instant,
  to: Instant,
): Promise<number> => {
  let requeued = 0
  // a keyset over (time, id): what was requeued before is passed by, however many share one instant
  let position: { readonly time: Date; readonly id: bigint } | undefined
  for (;;) {
    const start = position === undefined ? new Date(from) : position.time
    const documents = await pets
      .find(
        {
          'event.time': { $gte: start, $lt: new Date(to) },
          ...(position !== undefined && {
            $or: [{ 'event.time': { $gt: position.time } }, { _id: { $gt: position.id } }],
          }),
        },
        { projection: { 'event.time': 1 }, sort: { 'event.time': 1, _id: 1 }, limit: BATCH },
      )
      .toArray()
    const last = documents.at(-1)
    if (last === undefined) return requeued
    const ids = documents.map(({ _id }) => _id)
    const { matchedCount } = await pets.updateMany({ _id: { $in: ids } }, { $set: { unsent: freshlyUnsent() } })
    requeued += matchedCount
    if (documents.length < BATCH) return requeued
    position = { time: last.event.time, id: last._id }
  }
}
