// Loading the parser takes two seconds.
import { Parser } from '@asyncapi/parser'
import { expect, it } from 'vitest'
import { asyncapiText } from './support/documents/asyncapi-document.js'

it('asyncapi.yaml has no findings of the AsyncAPI parser', async () => {
  const { diagnostics } = await new Parser().parse(asyncapiText)
  expect(diagnostics.map(({ code, message, path }) => [code, message, path.join('.')])).toStrictEqual([])
})
