// Reads openapi.yaml: the operation of a request, and its possible responses.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

interface Reference {
  readonly $ref: string
}

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
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Readonly<Record<string, Media>>
}

interface Parameter {
  readonly name: string
  readonly schema: Schema
}

interface CodeSample {
  readonly lang: string
  readonly source: string
}

interface WrittenOperation {
  readonly operationId: string
  readonly description: string
  readonly parameters?: readonly (Parameter | Reference)[]
  readonly deprecated?: boolean
  readonly 'x-codeSamples'?: readonly CodeSample[]
  readonly responses: Readonly<Record<string, WrittenResponse | Reference>>
}

interface Document {
  readonly info: { readonly description: string }
  readonly servers: readonly [{ readonly url: string }]
  readonly paths: Readonly<Record<string, { readonly [method in Method]?: WrittenOperation }>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly headers: Readonly<Record<string, Header>>
    readonly responses: Readonly<Record<string, WrittenResponse>>
  }
}

/** A response without references. */
export interface Response {
  readonly headers: Readonly<Record<string, Header>>
  readonly content: Readonly<Record<string, Media>>
  /** The possible codes of its Error: the names of its examples. */
  readonly codes: readonly string[]
}

export interface Operation {
  readonly method: string
  /** With the prefix of the server: `/v1/pets/{petId}`. */
  readonly path: string
  readonly operationId: string
  readonly description: string
  /** By name; does not include the parameters of the path item. */
  readonly parameters: ReadonlyMap<string, Schema>
  readonly isDeprecated: boolean
  readonly samples: readonly CodeSample[]
  readonly responses: ReadonlyMap<number, Response>
}

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
type Method = (typeof METHODS)[number]

const document = parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as Document

export const { schemas, headers } = document.components
export const { description } = document.info
/** The path of the server, which is relative to the document at the root of the host. */
export const prefix = `/${document.servers[0].url}`

const resolved = <T extends object>(components: Readonly<Record<string, T>>, value: T | Reference): T => {
  if (!('$ref' in value)) return value
  const found = components[value.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`openapi.yaml has no ${value.$ref}`)
  return found
}

const responseFrom = (written: WrittenResponse): Response => ({
  headers: Object.fromEntries(
    Object.entries(written.headers ?? {}).map(([name, header]) => [name, resolved(headers, header)]),
  ),
  content: written.content ?? {},
  codes: Object.keys(written.content?.['application/json']?.examples ?? {}),
})

const operationFrom = (method: string, path: string, written: WrittenOperation): Operation => ({
  method: method.toUpperCase(),
  path: prefix + path,
  operationId: written.operationId,
  description: written.description,
  parameters: new Map(
    (written.parameters ?? []).map((parameter) => {
      const { name, schema } = resolved(document.components.parameters, parameter)
      return [name, schema]
    }),
  ),
  isDeprecated: written.deprecated ?? false,
  samples: written['x-codeSamples'] ?? [],
  responses: new Map(
    Object.entries(written.responses).map(([status, response]) => [
      Number(status),
      responseFrom(resolved(document.components.responses, response)),
    ]),
  ),
})

export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const written = item[method]
    return written === undefined ? [] : [operationFrom(method, path, written)]
  }),
)

/** The operations of a path, which may have a query. */
export const operationsOf = (path: string): readonly Operation[] => {
  const [plain = ''] = path.split('?', 1)
  return operations.filter((operation) => new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(plain))
}
