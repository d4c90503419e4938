// The bundle of the client in a browser, on a page with another origin than the service.
import { createServer } from 'node:http'
import { build } from 'esbuild'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeWith } from '../support/containers/describe-with.js'
import { shareBrowser } from '../support/http/browser.js'
import { startHttp } from '../support/http/http-service.js'
import { startListening } from '../support/network/start-listening.js'

/** The values as text, because a bigint cannot be transferred from the page. */
const PROGRAM = `
import { makeClient, orThrow } from './src/exports/client.ts'
const texts = (value) => JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? \`\${member}n\` : member))
window.run = async (baseUrl, apiKey) => {
  const client = makeClient({ baseUrl, apiKey })
  const names = []
  for (let at = 0; at < 5; at += 1) orThrow(await client.createPet({ name: String(at), categoryId: 2n ** 63n - 1n }))
  for await (const page of client.pages({ limit: 2 })) names.push(...orThrow(page).pets.map(({ name }) => name))
  const again = () => client.createPet({ name: 'again', categoryId: 1n }, { idempotencyKey: 'order-7' })
  const replayed = [await again(), await again()].map((result) => orThrow(result).replayed)
  const wrong = await makeClient({ baseUrl, apiKey: 'wrong' }).findPet(1n)
  return texts({ names: names.join(''), first: orThrow(await client.findPet(1n)), replayed, wrong: wrong.error._tag })
}`

describeWith('chromium', 'the client in a browser', (executablePath) => {
  const { openPage, options } = shareBrowser(executablePath)

  const openOrigin = async (): Promise<{ page: Page; origin: string }> => {
    const server = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'))
    const origin = `http://127.0.0.1:${await startListening(server)}`
    const page = await openPage()
    await page.goto(origin)
    return { page, origin }
  }

  it('creates, lists and retries with exact integers', options, async () => {
    const { page, origin } = await openOrigin()
    const { url, key } = await startHttp({ settings: { corsOrigins: [origin] } })
    const stdin = { contents: PROGRAM, resolveDir: process.cwd(), loader: 'js' } as const
    const { outputFiles } = await build({ stdin, bundle: true, platform: 'browser', format: 'iife', write: false })
    await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
    expect(JSON.parse(await page.evaluate<string>(`run('${url}/v1', '${key}')`))).toStrictEqual({
      names: '43210',
      first: { id: '1n', name: '0', categoryId: '9223372036854775807n' },
      replayed: [false, true],
      wrong: 'invalid_api_key',
    })
  })
})
