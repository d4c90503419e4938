// The client as a bundle.
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

describe('the bundle of the client', () => {
  it('contains only the client, and of the domain the JSON, the Retry-After and what was thrown, and runs', async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: ['src/exports/client.ts'],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      minify: true,
      metafile: true,
      write: false,
    })
    const inputs = Object.keys(metafile.inputs)
    expect(
      inputs.filter(
        (path) => !/^src\/(client\/|domain\/json\/|domain\/(?:retry-after|thrown)\.ts|exports\/)/.test(path),
      ),
    ).toStrictEqual([])
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toStrictEqual([])
    const text = outputFiles[0]?.text ?? ''
    const { makeClient } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      readonly makeClient: typeof import('../../src/client/make-client.js').makeClient
    }
    const fetch = () => Promise.resolve(new Response('[{"id":1,"name":"Rex","categoryId":9223372036854775807}]'))
    const client = makeClient({ baseUrl: 'https://pets.test/v1', apiKey: 'a', platform: { fetch } })
    const pet = { id: 1n, name: 'Rex', categoryId: 9_223_372_036_854_775_807n }
    expect(await client.findPet(1n)).toStrictEqual({ ok: true, value: pet })
  })
})
