// Reads JSON without rounding: a number that is an int64 becomes a bigint, any other number a double.
import * as O from 'fp-ts/lib/Option.js'
import { parse } from 'lossless-json'
import { int64FromJsonNumber } from '../../../src/domain/codecs/int64.js'

const exactNumber = (text: string): bigint | number => O.getOrElseW(() => Number(text))(int64FromJsonNumber(text))

/** Throws a SyntaxError if the text is not JSON. */
export const exactJson = (text: string): unknown => parse(text, null, { parseNumber: exactNumber })
