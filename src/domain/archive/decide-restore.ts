// Decides what restoring a record of an export does to a store.
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { type DomainEvent, PetCreatedFromJson } from '../events/domain-event.js'

/** `different`: the store has another record under this id, and keeps it. */
export type Restored = 'added' | 'unchanged' | 'different'

/** `stored`: the event under the id of the record, if any. One that cannot be decoded is different. */
export const decideRestore = (event: DomainEvent, stored: O.Option<E.Either<unknown, DomainEvent>>): Restored => {
  if (O.isNone(stored)) return 'added'
  const found = stored.value
  const isSame = E.isRight(found) && PetCreatedFromJson.encode(found.right) === PetCreatedFromJson.encode(event)
  return isSame ? 'unchanged' : 'different'
}
