// Reads JSON without rounding: an int64 becomes a bigint, any other number a double.
import { parse } from 'lossless-json'
import { Int64 } from '../../../src/domain/codecs/scalar.js'
import { integerOf } from '../../../src/domain/json/json-number.js'

const exactNumber = (text: string): bigint | number => {
  const integer = integerOf(text)
  return Int64.is(integer) ? integer : Number(text)
}

/** Throws a SyntaxError if the text is not JSON. */
export const exactJson = (text: string): unknown => parse(text, null, { parseNumber: exactNumber })
