// Servers are compared only if they do the same work: equal status, body and headers, except where they must differ.
import { deepStrictEqual } from 'node:assert'
import type { HttpAnswer } from './request.js'

/** Headers of the connection, which do not depend on the server. */
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive'])

/** Each server makes these values in its own way, so only their form is compared. */
const FORMS: Readonly<Record<string, readonly [form: RegExp, name: string]>> = {
  'x-request-id': [/^[\w-]{8,64}$/, 'an id'],
  etag: [/^"[0-9a-f]{40}"$/, 'a tag'],
  link: [/cursor=[0-9a-f]{36}/, 'cursor=…'],
}

const formOf = (name: string, value: string): string => {
  const [form, label] = FORMS[name] ?? []
  return form && label ? value.replace(form, label) : value
}

const comparable = ({ status, headers, body }: HttpAnswer) => ({
  status,
  headers: Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !OF_THE_CONNECTION.has(name))
      .map(([name, value]) => [name, formOf(name, value)]),
  ),
  body,
})

export const expectSameAnswer = (what: string, expected: HttpAnswer, actual: HttpAnswer): void => {
  try {
    deepStrictEqual(comparable(actual), comparable(expected))
  } catch (error) {
    throw new Error(`${what} answers differently: ${error instanceof Error ? error.message : String(error)}`)
  }
}
