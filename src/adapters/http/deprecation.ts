// Operations that will be removed, and how their answers say so (RFC 9745, RFC 8594).
import type { HeaderFields } from './messages/message.js'

/** An operation that will be removed. */
export interface Deprecation {
  /** The date of the announcement, as a structured field date. */
  readonly since: string
  readonly sunset: string
  /** The path of its successor, below the base address. */
  readonly successor: string
}

const fieldsOf = ({ since, sunset, successor }: Deprecation, baseUrl: string): HeaderFields => {
  // the policy is next to `/v1`, with which every base address ends
  const policy = `${baseUrl.slice(0, -'/v1'.length)}/docs`
  return [
    ['Deprecation', since],
    ['Sunset', sunset],
    ['Link', `<${policy}>; rel="deprecation", <${baseUrl}${successor}>; rel="successor-version"`],
  ]
}

/** The headers of a deprecation. Caches those of the last base address, because nearly all requests have the same one. */
export const makeDeprecationFields = (): typeof fieldsOf => {
  let last: { readonly deprecation: Deprecation; readonly baseUrl: string; readonly fields: HeaderFields } | undefined
  return (deprecation, baseUrl) => {
    if (last?.deprecation !== deprecation || last.baseUrl !== baseUrl)
      last = { deprecation, baseUrl, fields: fieldsOf(deprecation, baseUrl) }
    return last.fields
  }
}
