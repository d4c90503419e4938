// What the client prefers: counts (RFC 7240), and media types (RFC 9110 §12.5.1).
import { itemFrom, membersOf, preferenceFrom, valueIn } from './field-values.js'
import type { HttpRequest } from './message.js'

type Headers = Pick<HttpRequest, 'header'>

/** Whether the caller prefers an exact count (RFC 7240). The first of repeated preferences applies. */
export const prefersExactCount = ({ header }: Headers): boolean => {
  const preferences = membersOf(header('prefer')).map((member) => preferenceFrom(valueIn(member)))
  return preferences.find((preference) => preference?.name === 'count')?.value?.toLowerCase() === 'exact'
}

// a weight of RFC 9110 §12.4.2
const WEIGHT = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/
const MEDIA_RANGE = /^[^\s/]+\/[^\s/]+$/

/** The weights of the media ranges in `Accept`, without malformed ones. */
const weightsOf = ({ header }: Headers): readonly (readonly [range: string, weight: number])[] =>
  membersOf(header('accept')).flatMap((member) => {
    const item = itemFrom(member)
    const [, weight = '1'] = item?.parameters.find(([name]) => name === 'q') ?? []
    return item !== undefined && MEDIA_RANGE.test(item.value) && WEIGHT.test(weight)
      ? [[item.value, Number(weight)] as const]
      : []
  })

/** JSON, or a range that includes it: what we have besides the type in question. */
const mayBeJson = (range: string): boolean => range === '*/*' || range === 'application/*' || range.endsWith('json')

/** Whether the client names this media type and prefers it to every JSON (RFC 9110 §12.5.1). A tie goes to JSON. */
export const prefersType = (type: 'text/html' | 'text/event-stream', headers: Headers): boolean => {
  const weights = weightsOf(headers)
  const highestOf = (isOne: (range: string) => boolean): number =>
    Math.max(0, ...weights.flatMap(([range, weight]) => (isOne(range) ? [weight] : [])))
  return highestOf((range) => range === type) > highestOf(mayBeJson)
}
