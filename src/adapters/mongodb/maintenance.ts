// What operators ask of a backlog of millions: with all the time that it takes, and in batches where it writes.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Collection } from 'mongodb'
import { unavailable } from '../../domain/errors.js'
import type { ReportDamage } from '../../ports/damage-report.js'
import type { Backlog, Outbox, ParkedEvent } from '../../ports/outbox.js'
import { PETS } from './collections.js'
import type { LazyDatabase } from './lazy-database.js'
import { decodeEvent, PARKED, type PetDocument, WAITING } from './pet-document.js'
import { requeueCreatedBetween, requeueParked } from './requeue.js'
import { step } from './step.js'

export type Maintenance = Pick<Outbox, 'backlog' | 'parked' | 'requeue'>

const backlogOf = async (pets: Collection<PetDocument>): Promise<Backlog> => {
  const [parked, [waiting]] = await Promise.all([
    pets.countDocuments(PARKED),
    pets
      .aggregate<{ size: number; oldest: Date }>([
        { $match: WAITING },
        { $group: { _id: null, size: { $sum: 1 }, oldest: { $min: '$event.time' } } },
      ])
      .toArray(),
  ])
  if (waiting === undefined) return { size: 0, oldest: O.none, parked }
  return { size: waiting.size, oldest: O.some(waiting.oldest.getTime()), parked }
}

export const makeMongoMaintenance = ({ open }: Pick<LazyDatabase, 'open'>, reportDamage: ReportDamage): Maintenance => {
  const onPets = <A>(task: (pets: Collection<PetDocument>) => Promise<A>) =>
    TE.tryCatch(async () => task((await open()).collection<PetDocument>(PETS)), unavailable)

  const parkedIn = async (pets: Collection<PetDocument>): Promise<readonly ParkedEvent[]> => {
    const documents = await step(() => pets.find(PARKED, { sort: { _id: 1 } }).toArray())
    return documents.flatMap((document) => {
      const event = decodeEvent(document)
      if (E.isRight(event)) return [{ event: event.right, reason: document.unsent?.reason ?? '' }]
      reportDamage(event.left)
      return []
    })
  }

  return {
    backlog: onPets((pets) => step(() => backlogOf(pets))),
    parked: onPets(parkedIn),
    requeue: (which) =>
      onPets((pets) => (which._tag === 'Parked' ? requeueParked(pets) : requeueCreatedBetween(pets, which))),
  }
}
