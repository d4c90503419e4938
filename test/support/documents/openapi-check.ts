// Checks a response against openapi.yaml and against the rules for every response.
import { exactJson } from './exact-json.js'
import {
  type Header,
  headers as namedHeaders,
  type Operation,
  operations,
  operationsOf,
  prefix,
  type Response,
} from './openapi-document.js'
import { schemaFaults } from './openapi-schema.js'

export interface ResponseToCheck {
  readonly method: string
  /** Includes the query, if any. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

type Faults = readonly string[]

const matching = (pattern: string): Header => ({ required: true, schema: { type: 'string', pattern } })
const oneOf = (...values: readonly string[]): Header => ({ required: true, schema: { type: 'string', enum: values } })

const ALWAYS_SENT = {
  'X-Content-Type-Options': oneOf('nosniff'),
  'Referrer-Policy': oneOf('no-referrer'),
  'X-Request-Id': matching('^[!-~]{1,128}$'),
  'Content-Security-Policy': oneOf("default-src 'none'; frame-ancestors 'none'"),
}
/** HTML pages have their own policy. */
const SENT_WITH_DOCS = { ...ALWAYS_SENT, 'Content-Security-Policy': matching('.') }
const NEVER_SENT = ['Server', 'X-Powered-By']

const readJson = (body: string): unknown => {
  try {
    return exactJson(body)
  } catch {
    return undefined
  }
}

const headerFaults = (expected: Readonly<Record<string, Header | undefined>>, headers: Headers): Faults =>
  Object.entries(expected).flatMap(([name, header]) => {
    const text = headers.get(name)
    if (header === undefined) return []
    if (text === null) return header.required === true ? [`the header ${name} is missing`] : []
    const value = header.schema.type === 'integer' ? readJson(text) : text
    return schemaFaults(header.schema, value).map((fault) => `the header ${name} is ${JSON.stringify(text)}: ${fault}`)
  })

const constantHeaderFaults = ({ path, headers }: ResponseToCheck): Faults => [
  ...headerFaults(path.startsWith('/docs') ? SENT_WITH_DOCS : ALWAYS_SENT, headers),
  ...NEVER_SENT.filter((name) => headers.has(name)).map((name) => `the header ${name} is sent`),
]

const notStored = { 'Cache-Control': oneOf('no-store') }
/** Outside the API: clients revalidate descriptions and pages, and keep versioned assets. */
const shared = { 'Cache-Control': oneOf('public, no-cache', 'public, max-age=31536000, immutable') }
const isPage = (path: string): boolean => /^\/(?:docs|openapi|asyncapi)/.test(path)

const { Deprecation, Sunset, DeprecationLink } = namedHeaders

/** Statuses that can be sent before an operation is reached. */
const PROTOCOL_STATUSES = [400, 405, 408, 417, 431]

const errorOf = (value: unknown) => Object(value) as { readonly code?: string; readonly status?: unknown }

const errorFaults = ({ status, headers }: ResponseToCheck, value: unknown, codes: Faults): Faults => {
  const { code, status: told } = errorOf(value)
  const hasHelp = headers.get('Link')?.includes(`/docs/errors#${code}>; rel="help"`) === true
  return [
    ...schemaFaults({ $ref: '#/components/schemas/Error' }, value),
    ...(told === BigInt(status) ? [] : [`/status: must be ${status}`]),
    ...(codes.includes(code ?? '') ? [] : [`/code: must be one of ${codes.join(', ')}`]),
    ...(hasHelp ? [] : [`the header Link does not lead to ${code}`]),
  ]
}

const mediaTypeOf = (headers: Headers): string => headers.get('Content-Type')?.split(';', 1)[0] ?? 'none'

const bodyFaults = (reply: ResponseToCheck, response: Response): Faults => {
  const { method, status, headers, body } = reply
  if (Object.keys(response.content).length === 0) return body === '' ? [] : ['there is a body']
  const media = response.content[mediaTypeOf(headers)]
  if (media === undefined) return [`the content type is ${mediaTypeOf(headers)}`]
  if (method === 'HEAD') return body === '' ? [] : ['there is a body']
  const value = readJson(body)
  if (value === undefined) return ['the body is not JSON']
  return status < 400 ? schemaFaults(media.schema, value) : errorFaults(reply, value, response.codes)
}

const responseFaults = (reply: ResponseToCheck, response: Response): Faults => [
  ...headerFaults({ ...notStored, ...response.headers }, reply.headers),
  ...bodyFaults(reply, response),
]

const operationFaults = (reply: ResponseToCheck, operation: Operation): Faults => {
  const response = operation.responses.get(reply.status)
  if (response === undefined) return [`${operation.operationId} has no such status`]
  const isReached = !PROTOCOL_STATUSES.includes(reply.status)
  const deprecation = operation.isDeprecated && isReached ? { Deprecation, Sunset, Link: DeprecationLink } : {}
  return [...headerFaults(deprecation, reply.headers), ...responseFaults(reply, response)]
}

const errorContent = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } }
const routeNotFound: Response = { headers: {}, content: errorContent, codes: ['route_not_found'] }
const allow = { Allow: matching('') }

/** For responses outside the operations: a documented failure, or a path outside the API. */
const otherFaults = (reply: ResponseToCheck): Faults => {
  const { method, path, status, body } = reply
  if (method === 'OPTIONS' && status === 204) return responseFaults(reply, { headers: allow, content: {}, codes: [] })
  if (status < 400 && path.startsWith(`${prefix}/`)) return ['no operation is documented here']
  if (status < 400) return headerFaults(isPage(path) ? shared : notStored, reply.headers)
  if (status === 404) return responseFaults(reply, routeNotFound)
  const { code = '' } = errorOf(readJson(body))
  const documented = operations
    .map(({ responses }) => responses.get(status))
    .find((response) => response !== undefined && (method === 'HEAD' || response.codes.includes(code)))
  return documented === undefined
    ? [`no ${status} with the code "${code}" is documented`]
    : responseFaults(reply, documented)
}

export const checkResponse = (reply: ResponseToCheck): void => {
  const method = reply.method === 'HEAD' ? 'GET' : reply.method
  const operation = operationsOf(reply.path).find((candidate) => candidate.method === method)
  const faults = [
    ...constantHeaderFaults(reply),
    ...(operation === undefined ? otherFaults(reply) : operationFaults(reply, operation)),
  ]
  if (faults.length === 0) return
  const { path, status, body } = reply
  throw new Error(`${reply.method} ${path} answered ${status} against openapi.yaml:\n- ${faults.join('\n- ')}\n${body}`)
}
