import * as TE from 'fp-ts/lib/TaskEither.js'
import { unavailable } from '../../../src/domain/errors.js'
import type { ApiKeyStore } from '../../../src/ports/api-key-store.js'
import type { IdGenerator } from '../../../src/ports/id-generator.js'
import type { PetRepository } from '../../../src/ports/pet-repository.js'
import type { Store } from '../../../src/ports/store.js'

export const outage = unavailable(new Error('the store is away'))

const failing = TE.left(outage)
const storage = Symbol('away')

export const failingIds: IdGenerator = { storage, next: failing }

export const failingPets: PetRepository = {
  storage,
  add: () => failing,
  findByIdempotencyKey: () => failing,
  findById: () => failing,
  findPage: () => failing,
  count: () => failing,
}

export const failingPing: Store['ping'] = failing

export const failingApiKeys: ApiKeyStore = {
  add: () => failing,
  addFirst: () => failing,
  find: () => failing,
  list: failing,
  change: () => failing,
  removeEnded: () => failing,
}

/** A relay's ports with one failing call. */
export const losing = (
  { log, relay }: Store,
  part: 'load' | 'save' | 'head' | 'read',
): Pick<Store, 'log' | 'relay'> => ({
  log: { ...log, ...(part === 'head' && { head: failing }), ...(part === 'read' && { read: () => failing }) },
  relay: { ...relay, ...(part === 'load' && { load: failing }), ...(part === 'save' && { save: () => failing }) },
})
