// What is checked of settings, which an embedder may have computed.
import type { Observer } from '../../ports/observer.js'
import { quiet } from './report.js'

/** The longest time of a timer; a longer one, or NaN, would be over at once. */
const MAX = 2 ** 31 - 1

/** A RangeError names a number that is NaN, negative or too large, such as that of a variable that is not set. */
export const checkNumbers = (settings: object): void => {
  for (const [name, value] of Object.entries(settings))
    if (typeof value === 'number' && !(value >= 0 && value <= MAX))
      throw new RangeError(`${name}: wanted a number from 0 to ${MAX}, got ${value}`)
}

/** The settings with an observer that never throws. Throws what `checkNumbers` throws. */
export const checkedSettings = <S extends { readonly observer: Observer }>(settings: S): S => {
  checkNumbers(settings)
  return { ...settings, observer: quiet(settings.observer) }
}
