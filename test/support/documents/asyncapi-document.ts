import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Schema } from './openapi-document.js'
import { makeSchemaFaults } from './openapi-schema.js'

interface Message {
  readonly headers: Schema & { readonly properties: Readonly<Record<string, Schema>> }
  readonly payload: Schema
  readonly examples: readonly [{ readonly headers: unknown; readonly payload: unknown }]
}

interface Document {
  readonly channels: Readonly<Record<string, { readonly address: string }>>
  readonly components: {
    readonly messages: Readonly<Record<'PetCreated', Message>>
    readonly schemas: Readonly<Record<string, Schema>>
  }
}

export const asyncapiText = readFileSync(new URL('../../../asyncapi.yaml', import.meta.url), 'utf8')

export const { channels, components } = parse(asyncapiText) as Document

export const eventFaults = makeSchemaFaults('asyncapi.yaml', components.schemas)
