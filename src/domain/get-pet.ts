// Finds one pet by its id.
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import type { PetNotFound, Unavailable } from './errors.js'
import type { Pet } from './pet.js'

export type GetPet = (id: bigint) => TE.TaskEither<PetNotFound | Unavailable, Pet>

export const getPet =
  (ports: Pick<Ports, 'pets'>): GetPet =>
  (id) =>
    pipe(ports.pets.findById(id), TE.flatMap(TE.fromOption((): PetNotFound => ({ _tag: 'PetNotFound' }))))
