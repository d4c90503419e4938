// Lists pets, newest first, a page at a time; counts them where that is asked for.
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Ports } from '../ports/index.js'
import type { Unavailable } from './errors.js'
import type { PetPage, PetQuery } from './pet-query.js'

export interface ListPetsInput {
  readonly query: PetQuery
  /** Whether to count all that the filter matches, beyond the page. */
  readonly counted: boolean
}

export interface PetList {
  readonly page: PetPage
  readonly total: O.Option<number>
}

export type ListPets = (input: ListPetsInput) => TE.TaskEither<Unavailable, PetList>

export const listPets =
  (ports: Pick<Ports, 'pets'>): ListPets =>
  ({ query, counted }) => {
    const page = ports.pets.findPage(query)
    return counted
      ? pipe(TE.Do, TE.apS('page', page), TE.apS('total', pipe(ports.pets.count(query), TE.map(O.some))))
      : pipe(
          page,
          TE.map((found) => ({ page: found, total: O.none })),
        )
  }
