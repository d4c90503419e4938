// Checks settings, which an embedder may have computed.
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { EventsTypePrefix, Origin, PublicUrl } from '../../domain/codecs/scalar.js'
import { faultsText } from '../../domain/codecs/struct.js'
import type { Observer } from '../../ports/observer.js'
import { quiet } from './report.js'

/** The longest delay of a timer in milliseconds; a longer one, or NaN, would fire at once. */
const MAX = 2 ** 31 - 1

/** Throws a RangeError for a number that is NaN (such as from an unset variable), negative or too large. */
export const checkNumbers = (settings: object): void => {
  for (const [name, value] of Object.entries(settings))
    if (typeof value === 'number' && !(value >= 0 && value <= MAX))
      throw new RangeError(`${name}: wanted a number from 0 to ${MAX}, got ${value}`)
}

const Texts = t.partial({
  publicUrl: PublicUrl,
  corsOrigins: t.readonlyArray(Origin),
  eventsTypePrefix: EventsTypePrefix,
})

/** The settings with an observer that never throws. Throws a RangeError as `checkNumbers` does, and for an invalid text. */
export const checkedSettings = <S extends { readonly observer: Observer }>(settings: S): S => {
  checkNumbers(settings)
  const texts = Texts.decode(settings)
  if (E.isLeft(texts)) throw new RangeError(faultsText(texts.left))
  return { ...settings, observer: quiet(settings.observer) }
}
