// Writes values as JSON with exact bigints. Has no dependencies.

/** A JSON value with exact integers. Undefined members are left out. */
export type JsonValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue | undefined }

const isArray: (value: JsonValue) => value is readonly JsonValue[] = Array.isArray

/**
 * Compact JSON. Throws a RangeError for NaN and infinities, which JSON lacks and `JSON.stringify` turns into null.
 *
 * @example
 * stringifyJson({ id: 9223372036854775807n, name: 'Rex', status: undefined }) // => '{"id":9223372036854775807,"name":"Rex"}'
 */
export const stringifyJson = (value: JsonValue): string => {
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`JSON has no ${value}`)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (isArray(value)) return `[${value.map(stringifyJson).join(',')}]`
  const members: string[] = []
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) members.push(`${JSON.stringify(name)}:${stringifyJson(member)}`)
  }
  return `{${members.join(',')}}`
}
