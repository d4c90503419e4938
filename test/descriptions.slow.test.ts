// Both descriptions under slow tools: the AsyncAPI parser, and types that `npm run docs` writes next to openapi.yaml.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Parser } from '@asyncapi/parser'
import { expect, expectTypeOf, it } from 'vitest'
import type { components } from '../openapi.js'
import type { NewPet, Pet, PetStatus } from '../src/domain/pets/pet.js'
import { asyncapiText } from './support/documents/asyncapi-document.js'

type Schemas = components['schemas']

it('openapi.d.ts is current, and its pets are those of the domain', async () => {
  const script = 'test/support/documents/print-openapi-types.mjs'
  const { stdout } = await promisify(execFile)(process.execPath, [script])
  await expect(stdout).toMatchFileSnapshot('../openapi.d.ts')
  // the compiler checks these
  expectTypeOf<Schemas['PetStatus']>().toEqualTypeOf<PetStatus>()
  expectTypeOf<Required<Schemas['Pet']>>().toExtend<Required<Pet>>()
  expectTypeOf<Required<Pet>>().toExtend<Required<Schemas['Pet']>>()
  expectTypeOf<Required<NewPet>>().toExtend<Required<Schemas['NewPet']>>()
})

it('asyncapi.yaml has no findings of the AsyncAPI parser', async () => {
  const { diagnostics } = await new Parser().parse(asyncapiText)
  expect(diagnostics.map(({ code, message, path }) => [code, message, path.join('.')])).toStrictEqual([])
})
