// Reads openapi.yaml: the operation of a request, and its possible responses.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Schema {
  readonly type?: string
  readonly [keyword: string]: unknown
}

export interface Header {
  readonly required?: boolean
  readonly schema: Schema
}

interface Media {
  readonly schema: Schema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface WrittenResponse {
  readonly headers?: Readonly<Record<string, Header>>
  readonly content?: Readonly<Record<string, Media>>
}

interface WrittenOperation {
  readonly operationId: string
  readonly description: string
  readonly parameters?: readonly { readonly name: string; readonly schema: Schema }[]
  readonly deprecated?: boolean
  readonly 'x-codeSamples'?: readonly { readonly lang: string; readonly source: string }[]
  readonly responses: Readonly<Record<string, WrittenResponse>>
}

interface Document {
  readonly info: { readonly description: string }
  readonly servers: readonly [{ readonly url: string }]
  readonly paths: Readonly<Record<string, { readonly [method in Method]?: WrittenOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly headers: Readonly<Record<string, Header>>
  }
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
type Method = (typeof METHODS)[number]

const document = parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as Document

export const { schemas, headers } = document.components
export const { description } = document.info
/** The server path, which is relative to the root of the host. */
export const prefix = `/${document.servers[0].url}`

/** Follows a `$ref`. */
const resolved = <T extends object>(value: T): T => {
  if (!('$ref' in value)) return value
  const names = String(value.$ref).split('/').slice(1)
  const found = names.reduce((all: unknown, name) => (all as Readonly<Record<string, unknown>>)[name], document)
  if (found === undefined) throw new Error(`openapi.yaml has no ${String(value.$ref)}`)
  return found as T
}

const responseFrom = ({ headers: sent = {}, content = {} }: WrittenResponse) => ({
  headers: Object.fromEntries(Object.entries(sent).map(([name, header]) => [name, resolved(header)])),
  content,
  /** The possible error codes, which are the names of the examples. */
  codes: Object.keys(content['application/json']?.examples ?? {}),
})

export type Response = ReturnType<typeof responseFrom>

const operationFrom = (method: Method, path: string, written: WrittenOperation) => ({
  method: method.toUpperCase(),
  /** Includes the server prefix: `/v1/pets/{petId}`. */
  path: prefix + path,
  operationId: written.operationId,
  description: written.description,
  /** By name, without those of the path item. */
  parameters: new Map((written.parameters ?? []).map(resolved).map(({ name, schema }) => [name, schema])),
  isDeprecated: written.deprecated ?? false,
  samples: written['x-codeSamples'] ?? [],
  responses: new Map(
    Object.entries(written.responses).map(([status, response]) => [Number(status), responseFrom(resolved(response))]),
  ),
})

export type Operation = ReturnType<typeof operationFrom>

export const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] === undefined ? [] : [operationFrom(method, path, item[method])])),
)

export const operationsOf = (path: string): readonly Operation[] => {
  const [plain = ''] = path.split('?', 1)
  return operations.filter((operation) => new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain))
}
