// The client of all HTTP tests. It checks every response against openapi.yaml, so no test can forget to.
import { exactJson } from '../documents/exact-json.js'
import { checkResponse } from '../documents/openapi-check.js'
import { send } from './in-process.js'

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Integers are bigints; undefined if the body is not JSON. */
  readonly json: unknown
}

/** `path` is absolute, such as `/v1/pets`. A body is sent as JSON unless a header says otherwise. */
export type Call = (
  method: string,
  path: string,
  sent?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string | Uint8Array<ArrayBuffer> },
) => Promise<Reply>

/** Only the host and port of `baseUrl` matter. */
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

export const refusal = (status: number, code: string, message: unknown) => ({
  status,
  json: { code, message, status: BigInt(status) },
})
