// Runs the request samples of openapi.yaml unchanged against the service.
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { addAll, numbered, range } from '../src/testing/samples.js'
import { describeWith } from './support/containers/describe-with.js'
import { operations } from './support/documents/openapi-document.js'
import { startHttp } from './support/http/http-service.js'
import { temporaryFolder } from './support/runner/temporary-folder.js'

const execute = promisify(execFile)

/** Bundles the TypeScript sample, because the package is not installed here. */
const bundled = async (source: string): Promise<string> => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: 'ts' },
    alias: { 'animal-store/client': './src/exports/client.ts' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

const samples = operations.flatMap(({ operationId, samples: all }) =>
  all.map(({ lang, source }) => ({ operationId, lang, source })),
)

describeWith('python3', 'the samples', (python) => {
  const commandFor = async (lang: string, source: string): Promise<readonly [string, string, string]> => {
    switch (lang) {
      case 'Shell':
        return ['bash', 'sample.sh', source]
      case 'TypeScript':
        return [process.execPath, 'sample.mjs', await bundled(source)]
      case 'Python':
        return [python, 'sample.py', source]
      default:
        throw new Error(`no way to run ${lang}`)
    }
  }

  it('are there for each operation on pets and events, in three languages', () => {
    const languages = ['Shell', 'TypeScript', 'Python']
    const expected = ['listPets', 'createPet', 'getPet', 'listEvents'].flatMap((id) =>
      languages.map((lang) => `${id} ${lang}`),
    )
    expect(samples.map(({ operationId, lang }) => `${operationId} ${lang}`)).toStrictEqual(expected)
  })

  it.each(samples)('run: $operationId $lang', async ({ operationId, lang, source }) => {
    const { url, key, call, world } = await startHttp()
    // more than one page of a list
    const shown = ['listPets', 'listEvents'].includes(operationId) ? 101 : 1
    const pet = { name: 'Rex', categoryId: 9_223_372_036_854_775_807n, status: 'available' } as const
    if (operationId !== 'createPet')
      await addAll(
        world.pets,
        range(1, shown).map((id) => numbered(id, pet)),
      )
    const cwd = await temporaryFolder()
    const [command, file, text] = await commandFor(lang, source)
    await writeFile(join(cwd, file), text)
    const env = { PATH: process.env['PATH'], BASE_URL: `${url}/v1`, API_KEY: key }
    const { stdout } = await execute(command, [file], { cwd, env, timeout: 15_000 })
    // util.inspect shows 100 elements of an array, and so all of both pages
    expect(stdout.match(/9223372036854775807/g)).toHaveLength(shown)
    expect((await call('GET', '/v1/pets?id=1')).text).toContain('9223372036854775807')
  })
})
