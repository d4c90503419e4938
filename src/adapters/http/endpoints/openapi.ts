// The description of the interface, written by hand in openapi.yaml, served in both notations.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type Endpoint, jsonReply } from '../messages/reply.js'

// from src/adapters/http and from dist/adapters/http alike
const yaml = readFileSync(new URL('../../../../openapi.yaml', import.meta.url), 'utf8')

let json: string | undefined

/** `/openapi.yaml`, as it was written; the media type is that of RFC 9512. */
export const openapiYaml: Endpoint = async () => ({
  status: 200,
  headers: [['Content-Type', 'application/yaml']],
  body: yaml,
})

/** `/openapi.json`, turned into JSON by the first request: the start need not wait for it. */
export const openapiJson: Endpoint = async () => {
  json ??= JSON.stringify(parse(yaml))
  return jsonReply(200, json)
}
