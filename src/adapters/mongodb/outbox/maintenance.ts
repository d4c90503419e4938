// Operators' commands on a backlog of millions of events: with ten minutes per command, and in batches if they write.
import * as O from 'fp-ts/lib/Option.js'
import * as RA from 'fp-ts/lib/ReadonlyArray.js'
import type { Collection, Db } from 'mongodb'
import type { DomainEvent } from '../../../domain/events/domain-event.js'
import type { ReportDamage } from '../../../ports/damage-report.js'
import type { Backlog, Outbox, ParkedEvent } from '../../../ports/outbox.js'
import { inDatabaseOf, type LazyDatabase } from '../connection/lazy-database.js'
import { repeatStep } from '../connection/repeat-transient.js'
import { soundWith } from '../documents/damage.js'
import { decodeEvent, EVENT_MEMBERS, PARKED, type PetDocument, WAITING } from '../documents/pet-document.js'
import { unsentOf } from '../documents/pet-state.js'
import { StoredInstant } from '../documents/stored-instant.js'
import { PETS } from '../schema/collections.js'
import { hasSent } from './relay-state.js'
import { requeueCreatedBetween, requeueParked } from './requeue.js'

export type Maintenance = Pick<Outbox, 'backlog' | 'parked' | 'requeue'>

const backlogOf = async (database: Db): Promise<Backlog> => {
  const pets = database.collection<PetDocument>(PETS)
  const [parked, [waiting], isSent] = await Promise.all([
    pets.countDocuments(PARKED),
    pets
      .aggregate<{ size: number; oldest: unknown }>([
        { $match: WAITING },
        { $group: { _id: null, size: { $sum: 1 }, oldest: { $min: '$event.time' } } },
      ])
      .toArray(),
    hasSent(database),
  ])
  return {
    size: waiting?.size ?? 0,
    oldest: O.fromEither(StoredInstant.decode(waiting?.oldest)),
    parked,
    hasSent: isSent,
  }
}

export const makeMongoMaintenance = (
  lazyDatabase: Pick<LazyDatabase, 'open'>,
  reportDamage: ReportDamage,
): Maintenance => {
  const inDatabase = inDatabaseOf(lazyDatabase)
  const onPets = <A>(task: (pets: Collection<PetDocument>) => Promise<A>) =>
    inDatabase((database) => task(database.collection<PetDocument>(PETS)))

  const sound = soundWith(reportDamage)

  const parkedIn = async (pets: Collection<PetDocument>): Promise<readonly ParkedEvent[]> => {
    const documents = await repeatStep(() =>
      pets.find(PARKED, { projection: EVENT_MEMBERS, sort: { _id: 1 } }).toArray(),
    )
    return RA.filterMap((document: PetDocument) =>
      O.map((event: DomainEvent) => ({ event, reason: unsentOf(document).reason ?? '' }))(sound(decodeEvent(document))),
    )(documents)
  }

  return {
    backlog: inDatabase((database) => repeatStep(() => backlogOf(database))),
    parked: onPets(parkedIn),
    requeue: (which) =>
      onPets((pets) => (which._tag === 'Parked' ? requeueParked(pets) : requeueCreatedBetween(pets, which))),
  }
}
