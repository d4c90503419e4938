// The events that the log holds and publishers deliver.
import type { PetCreated } from './pet-created.js'

/**
 * A new member does not compile until each caller of `matchEvent` has a case for it, stores and CloudEvents included.
 */
export type DomainEvent = PetCreated

type ByTag = { readonly [E in DomainEvent as E['_tag']]: E }

/**
 * A function of events, from one case per type of event.
 *
 * @example
 * const nameOf = matchEvent({ PetCreated: ({ pet }) => pet.name })
 * nameOf({ _tag: 'PetCreated', eventId: 'e1', time: 0, pet: { id: 1n, name: 'Rex', categoryId: 7n } }) // => 'Rex'
 */
export const matchEvent =
  <A>(cases: { readonly [Tag in keyof ByTag]: (event: ByTag[Tag]) => A }) =>
  <Tag extends keyof ByTag>(event: { [T in Tag]: { readonly _tag: T } & ByTag[T] }[Tag]): A =>
    cases[event._tag](event)

/**
 * The subject of the event: the id of its pet.
 *
 * @example
 * const pet = { id: 1n, name: 'Rex', categoryId: 7n }
 * eventSubject({ _tag: 'PetCreated', eventId: 'e1', time: 0, pet }) // => '1'
 */
export const eventSubject: (event: DomainEvent) => string = matchEvent({ PetCreated: ({ pet }) => String(pet.id) })

/**
 * The number of the event in the log of its store: the id of its pet.
 *
 * @example
 * const pet = { id: 7n, name: 'Rex', categoryId: 7n }
 * eventNumber({ _tag: 'PetCreated', eventId: 'e1', time: 0, pet }) // => 7
 */
export const eventNumber: (event: DomainEvent) => number = matchEvent({ PetCreated: ({ pet }) => Number(pet.id) })
