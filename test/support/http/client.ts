// The client of all HTTP tests. It checks every response against openapi.yaml, so that no test can forget to.
import { exactJson } from '../documents/exact-json.js'
import { checkResponse } from '../documents/openapi-check.js'
import { send } from './in-process.js'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body without rounding: integers are bigints; undefined if it is not JSON. */
  readonly json: unknown
}

/** `path` begins at the root of the host, `/v1/pets`. A given body is sent as JSON unless a header says otherwise. */
export type Call = (
  method: string,
  path: string,
  sent?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array<ArrayBuffer> },
) => Promise<Reply>

/** A client of the service at `baseUrl` (only its host and port matter), with an API key or without. */
export const client =
  (baseUrl: string, key?: string): Call =>
  async (method, path, { headers = {}, body } = {}) => {
    const sent = new Headers(key === undefined ? {} : { Authorization: `Bearer ${key}` })
    if (body !== undefined) sent.set('Content-Type', 'application/json')
    for (const [name, value] of Object.entries(headers)) sent.set(name, value)
    const url = new URL(path, baseUrl)
    const response = await send(url, { method, headers: sent, body: body ?? null, redirect: 'manual' })
    const text = await response.text()
    const { status, headers: answered } = response
    checkResponse({ method, path: url.pathname, status, headers: answered, body: text })
    const isJson = text !== '' && answered.get('Content-Type')?.startsWith('application/json') === true
    return { status, headers: answered, text, json: isJson ? exactJson(text) : undefined }
  }

/** What a reply of the service's Error is. */
export const refusal = (status: number, code: string, message: unknown) => ({
  status,
  json: { code, message, status: BigInt(status) },
})
