// Pets in a MongoDB collection, one document each.
import type { Collection, Db } from 'mongodb'
import type { ReportDamage } from '../../ports/damage-report.js'
import type { PetRepository } from '../../ports/pet-repository.js'
import type { Run } from './connection.js'
import { type PetDocument, petDocument } from './pet-document.js'
import { makePetInsertion } from './pet-insertion.js'
import { makePetReading, matching } from './pet-reading.js'

export interface MongoPetRepositorySettings {
  readonly database: Db
  readonly pets: Collection<PetDocument>
  readonly run: Run
  /** Whether the events of new pets wait in the outbox. */
  readonly isRelayed: boolean
  readonly reportDamage: ReportDamage
}

/** Milliseconds for an exact count, which reads an index from end to end. */
const COUNT_LIMIT = 3_500

export const makeMongoPetRepository = (settings: MongoPetRepositorySettings): PetRepository => {
  const { database, pets, run, isRelayed, reportDamage } = settings
  const insert = makePetInsertion({ database, pets, reportDamage })
  const { findById, findPage } = makePetReading(database, pets, reportDamage)
  return {
    add: (record) => run(() => insert(petDocument(record, isRelayed))),
    findById: (id) => run(() => findById(id)),
    findPage: (query) => run(() => findPage(query)),
    count: (filter) => run(() => pets.countDocuments(matching(filter)), COUNT_LIMIT),
  }
}
