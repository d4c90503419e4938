// Judges values by the schemas of openapi.yaml.
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

/** A schema of OpenAPI 3.0 as one of JSON Schema, in which an integer is a bigint, as exact-json.ts reads it. */
const translated = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(translated)
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema) return { $ref: `openapi.yaml${String(schema.$ref)}` }
  if ('type' in schema && schema.type === 'integer') return { exactInteger: schema }
  return Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, translated(value)]))
}

ajv.addSchema({ components: { schemas: translated(schemas) } }, 'openapi.yaml')
const compiled = new Map<string, ValidateFunction>()

/** What is wrong with a value that exact-json.ts has read, each fault with its place; nothing if the schema accepts it. */
export const schemaFaults = (schema: Schema, value: unknown): readonly string[] => {
  const text = JSON.stringify(schema)
  const validate = compiled.get(text) ?? ajv.compile(Object(translated(schema)))
  compiled.set(text, validate)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty } = params
    return `${instancePath || '(whole)'}: ${message}${additionalProperty === undefined ? '' : `: ${additionalProperty}`}`
  })
}
