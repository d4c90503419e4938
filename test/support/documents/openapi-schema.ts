// Validates values against the schemas of openapi.yaml and asyncapi.yaml.
import { Ajv, type ValidateFunction } from 'ajv'
import { type Schema, schemas } from './openapi-document.js'

interface IntegerSchema {
  readonly minimum?: number
  readonly maximum?: number
}

const isWithin = ({ minimum, maximum }: IntegerSchema, value: unknown): boolean =>
  typeof value === 'bigint' &&
  (minimum === undefined || value >= minimum) &&
  (maximum === undefined || value <= maximum)

const ajv = new Ajv({ strict: false, allErrors: true, ownProperties: true })
ajv.addKeyword({
  keyword: 'exactInteger',
  validate: isWithin,
  error: { message: 'must be an integer within its bounds' },
})
ajv.addFormat('well-formed', (text) => !/\p{Surrogate}/u.test(text))
ajv.addFormat('uri', (text) => URL.canParse(text))
// RFC 3339 §5.6, in UTC only
ajv.addFormat(
  'date-time',
  (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) && !Number.isNaN(Date.parse(text)),
)

/** Turns an OpenAPI 3.0 schema into a JSON Schema whose integers are bigints, as exact-json.ts reads them. */
const translated = (schema: unknown, file: string): unknown => {
  if (Array.isArray(schema)) return schema.map((element) => translated(element, file))
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema) return { $ref: `${file}${String(schema.$ref)}` }
  if ('type' in schema && schema.type === 'integer') return { exactInteger: schema }
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, translated(value, file)]))
}

/** Validates a value that exact-json.ts has read. Each fault names its place. */
export type SchemaFaults = (schema: Schema, value: unknown) => readonly string[]

/** For schemas of a file, which may refer to the components of that file. */
export const makeSchemaFaults = (file: string, componentSchemas: Readonly<Record<string, Schema>>): SchemaFaults => {
  ajv.addSchema({ components: { schemas: translated(componentSchemas, file) } }, file)
  const compiled = new Map<string, ValidateFunction>()
  return (schema, value) => {
    const text = JSON.stringify(schema)
    const validate = compiled.get(text) ?? ajv.compile(Object(translated(schema, file)))
    compiled.set(text, validate)
    if (validate(value)) return []
    return (validate.errors ?? []).map(({ instancePath, message, params }) => {
      const { additionalProperty } = params
      return `${instancePath || '(whole)'}: ${message}${additionalProperty === undefined ? '' : `: ${additionalProperty}`}`
    })
  }
}

export const schemaFaults = makeSchemaFaults('openapi.yaml', schemas)
