// What tests and a service on another runtime tell each other beside HTTP: JSON that also has bigints, bytes and undefined.
interface Tagged {
  readonly $: 'bigint' | 'bytes' | 'undefined' | 'error'
  readonly text: string
}

const isTagged = (value: unknown): value is Tagged => typeof value === 'object' && value !== null && '$' in value

const write = (value: unknown): unknown => {
  if (typeof value === 'bigint') return { $: 'bigint', text: String(value) }
  if (value === undefined) return { $: 'undefined', text: '' }
  if (value instanceof Error) return { $: 'error', text: String(value) }
  if (value instanceof Uint8Array) return { $: 'bytes', text: [...value].join() }
  if (Array.isArray(value)) return value.map(write)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, write(member)]))
}

const read = (_: string, value: unknown): unknown => {
  if (!isTagged(value)) return value
  const { $, text } = value
  if ($ === 'bigint') return BigInt(text)
  if ($ === 'error') return new Error(text)
  if ($ === 'bytes') return Uint8Array.from(text === '' ? [] : text.split(','), Number)
  return value
}

/** JSON.parse leaves out a member that its reviver makes undefined, so these are set afterwards. */
const restore = (value: unknown): unknown => {
  if (isTagged(value)) return undefined
  if (Array.isArray(value)) return value.map(restore)
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Error) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member)]))
}

export const toWire = (value: unknown): string => JSON.stringify(write(value))

export const fromWire = (text: string): unknown => restore(JSON.parse(text, read))
