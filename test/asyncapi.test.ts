import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cloudEventJson, cloudEventTypes } from '../src/domain/events/cloud-event.js'
import { domainEvent } from '../src/testing/arbitraries.js'
import { channels, components, eventFaults } from './support/documents/asyncapi-document.js'
import { exactJson } from './support/documents/exact-json.js'
import { type Schema, schemas } from './support/documents/openapi-document.js'

const { headers, payload, examples } = components.messages.PetCreated
const settings = { source: 'https://pets.example/v1', typePrefix: 'org.animal-store' }

/** Without references and descriptions. */
const bare = (all: Readonly<Record<string, Schema>>, schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map((element) => bare(all, element))
  if (typeof schema !== 'object' || schema === null) return schema
  if ('$ref' in schema) return bare(all, all[String(schema.$ref).split('/').at(-1) ?? ''])
  const kept = Object.entries(schema).filter(([keyword]) => keyword !== 'description' && keyword !== 'title')
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, bare(all, value)]))
}

describe('asyncapi.yaml', () => {
  it('has one channel for each type of event, and the feed', () => {
    const addresses = Object.values(channels).map(({ address }) => address)
    expect(addresses).toStrictEqual([...cloudEventTypes({ typePrefix: '{typePrefix}' }), '/v1/events'])
  })

  it('accepts every event that is published [cloud-event]', () => {
    fc.assert(
      fc.property(domainEvent(), (event) => {
        expect(eventFaults(payload, exactJson(cloudEventJson(event, settings)))).toStrictEqual([])
      }),
    )
  })

  it('has a valid example message', () => {
    const [{ headers: shown, payload: event }] = examples
    expect(eventFaults(headers, shown)).toStrictEqual([])
    const { id: eventId, time, data } = event as { id: string; time: string; data: { id: number; name: string } }
    const pet = { id: BigInt(data.id), name: data.name, categoryId: 7n, status: 'available' } as const
    const published = cloudEventJson({ _tag: 'PetCreated', eventId, time: Date.parse(time), pet }, settings)
    expect(JSON.stringify(event)).toBe(published)
  })

  it('has the Pet of openapi.yaml as data', () => {
    expect(bare(components.schemas, components.schemas['Pet'])).toStrictEqual(bare(schemas, schemas['Pet']))
  })
})
