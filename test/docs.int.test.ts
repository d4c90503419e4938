import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { DEFAULT_SETTINGS, makeListener } from '../src/composition/make-listener.js'
import { describeWith } from './support/containers/describe-with.js'
import { shareBrowser } from './support/http/browser.js'
import { create, startHttp, type TestService } from './support/http/http-service.js'
import { startListening } from './support/network/start-listening.js'

const REPORTS = new URL('../reports/', import.meta.url)
const MAX = '9223372036854775807'

describeWith('chromium', 'the page at /docs in a browser', (executablePath) => {
  const { openPage, options } = shareBrowser(executablePath)

  /** `complaints` are errors of scripts and violations of the content policy. */
  const watched = async (): Promise<{ page: Page; hosts: Set<string>; complaints: string[] }> => {
    const page = await openPage()
    const hosts = new Set<string>()
    const complaints: string[] = []
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('requestfailed', (request) => complaints.push(`${request.url()} ${request.failure()?.errorText}`))
    return { page, hosts, complaints }
  }

  const opened = async (page: Page, operationId: string): Promise<Locator> => {
    const operation = page.locator(`[id$=${operationId}]`)
    await operation.locator('.opblock-summary-control').click()
    await operation.getByRole('button', { name: 'Try it out' }).click()
    return operation
  }

  /** In both schemes, switching while the page is open, because the page follows the reader's preference. */
  const inBothSchemes = async (page: Page, check: (scheme: 'dark' | 'light') => Promise<void>): Promise<void> => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      // Set by a script that the page of errors does not have
      const isDark = "!document.querySelector('#swagger-ui') ? null : document.documentElement.matches('.dark-mode')"
      await expect.poll(() => page.evaluate(isDark)).toBeOneOf([null, colorScheme === 'dark'])
      await page.evaluate(`document.getAnimations().forEach((each) => each instanceof CSSTransition && each.finish())`)
      await check(colorScheme)
    }
  }

  const expectContrast = async (page: Page, scheme: string, inside = 'body'): Promise<void> => {
    if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source)
    const pale = await page.evaluate<string[]>(`axe.run('${inside}', {
      runOnly: ['color-contrast'], resultTypes: ['violations'],
    }).then(({ violations }) =>
      violations.flatMap(({ nodes }) => nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary)))`)
    expect(pale, `${inside} in the ${scheme} scheme`).toStrictEqual([])
  }

  const authorize = async (page: Page, key: string): Promise<void> => {
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const dialog = page.locator('.dialog-ux')
    await dialog.locator('input').fill(key)
    await dialog.getByRole('button', { name: 'Apply credentials' }).click()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  }

  /** The service over the same ports behind a proxy that removes `/shop`. */
  const behindPrefix = async ({ world }: TestService): Promise<string> => {
    const listener = makeListener(world, { ...DEFAULT_SETTINGS, publicUrl: 'https://pets.example/shop/v1' })
    const server = createServer((incoming, outgoing) => {
      incoming.url = incoming.url?.replace(/^\/shop/, '') ?? ''
      listener(incoming, outgoing)
    })
    return `http://127.0.0.1:${await startListening(server)}/shop`
  }

  const executed = async (operation: Locator): Promise<string> => {
    await operation.getByRole('button', { name: 'Execute' }).click()
    const reply = operation.locator('.live-responses-table tbody')
    await reply.locator('.response-col_status').first().waitFor()
    return (await reply.textContent()) ?? ''
  }

  it('can send requests with a key, keeps an int64 exact, and contacts no other host', options, async () => {
    const { url, key } = await startHttp()
    const { page, hosts, complaints } = await watched()
    await page.goto(`${url}/docs`)
    await page.getByRole('button', { name: 'Authorize' }).first().click()
    const dialog = page.locator('.dialog-ux')
    await dialog.locator('input').fill(key)
    await inBothSchemes(page, (scheme) => expectContrast(page, scheme, '.dialog-ux'))
    await dialog.getByRole('button', { name: 'Apply credentials' }).click()
    await dialog.getByText('Authorized').waitFor()
    await inBothSchemes(page, (scheme) => expectContrast(page, scheme, '.dialog-ux'))
    await dialog.getByRole('button', { name: 'Close' }).last().click()

    const create = await opened(page, 'createPet')
    for (const sample of ['curl --fail-with-body', "from 'animal-store/client'", 'import json, os'])
      expect(await create.locator('.opblock-description').textContent()).toContain(sample)
    await create.locator('textarea').fill(`{"name": "Rex \\"{,}\\" 1e400", "categoryId": ${MAX}}`)
    const created = await executed(create)
    expect(complaints).toStrictEqual([])
    expect(created).toContain('201')
    expect(created).toContain(`{\n  "id": 1,\n  "name": "Rex \\"{,}\\" 1e400",\n  "categoryId": ${MAX}\n}`)
    expect(await create.locator('.curl-command').textContent()).toContain(MAX)

    const fetched = await opened(page, 'getPet')
    expect((await fetched.locator('.parameter__name').allTextContents())[0]).toContain('petId')

    const list = await opened(page, 'listPets')
    expect(await executed(list)).toContain(`"categoryId": ${MAX}`)

    await mkdir(REPORTS, { recursive: true })
    await list.locator('.opblock-summary-control').scrollIntoViewIfNeeded()
    await page.screenshot({ path: fileURLToPath(new URL('docs.png', REPORTS)) })
    expect(complaints).toStrictEqual([])
    expect([...hosts]).toStrictEqual([new URL(url).host])
  })

  it('shows events as they happen, until they are stopped, behind a path prefix', options, async () => {
    const service = await startHttp()
    const { page, hosts, complaints } = await watched()
    const url = await behindPrefix(service)
    await page.goto(`${url}/docs`)
    await page.getByText('Events as they happen').click()
    const panel = page.locator('#events')
    const state = panel.getByRole('status')
    const events = panel.getByRole('log', { name: 'Events' }).locator('pre')

    await panel.getByRole('button', { name: 'Start' }).click()
    await expect.poll(() => state.textContent()).toContain('Authorize first')
    await authorize(page, service.key)
    await panel.getByRole('button', { name: 'Start' }).click()
    await expect.poll(() => state.textContent()).toBe('Waiting for the next event')
    await service.call('POST', '/v1/pets', { body: `{"name":"Rex","categoryId":${MAX}}` })
    await events.filter({ hasText: `"categoryId": ${MAX}` }).waitFor()
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 900 })
      await inBothSchemes(page, async (scheme) => {
        await expectContrast(page, scheme, '#events')
        await page.screenshot({ path: fileURLToPath(new URL(`events-${width}-${scheme}.png`, REPORTS)) })
      })
    }

    const ended = page.waitForEvent('requestfailed', (request) => request.url() === `${url}/v1/events`)
    await panel.getByRole('button', { name: 'Stop' }).click()
    await ended
    await expect.poll(() => state.textContent()).toBe('Stopped')
    await create(service, 'unseen')
    // once it follows again, whatever came meanwhile would be there
    await panel.getByRole('button', { name: 'Start' }).click()
    await expect.poll(() => state.textContent()).toBe('Waiting for the next event')
    await create(service, 'seen')
    await events.filter({ hasText: '"seen"' }).waitFor()
    expect(await events.allTextContents()).toStrictEqual([
      expect.stringContaining('"name": "seen"'),
      expect.stringContaining('"name": "Rex"'),
    ])
    expect([...hosts]).toStrictEqual([new URL(url).host])
    expect(complaints.filter((complaint) => !complaint.endsWith('net::ERR_ABORTED'))).toStrictEqual([])
  })

  it('offers no endless response, which would never be shown, and leaves it in the document', options, async () => {
    const { url, call } = await startHttp()
    const { page } = await watched()
    await page.goto(`${url}/docs`)
    const operation = await opened(page, 'listEvents')
    const types = await operation.locator('.response-control-media-type option').allTextContents()
    expect([...new Set(types)]).toStrictEqual(['application/cloudevents-batch+json', 'application/json'])
    expect((await call('GET', '/openapi.json')).text).toContain('text/event-stream')
  })

  it.each([1280, 390])('cuts nothing off and lets nothing overhang, %i pixels wide', options, async (width) => {
    const { url } = await startHttp()
    const { page } = await watched()
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${url}/docs`)
    await page.getByRole('button', { name: 'NewPet' }).first().click()
    await inBothSchemes(page, async (scheme) => {
      // a box of half a pixel more is as wide
      const overhanging = await page.evaluate<string[]>(`[...document.querySelectorAll('.model-container, .model-box')]
        .filter((box) => box.getBoundingClientRect().right > box.parentElement.getBoundingClientRect().right + 0.5)
        .map(({ outerHTML }) => outerHTML)`)
      expect(overhanging, scheme).toStrictEqual([])
      const link = `document.querySelector('.info__externaldocs')`
      const isCut = await page.evaluate<boolean>(`${link}.scrollWidth > ${link}.clientWidth`)
      expect(isCut, scheme).toBe(false)
      await page.screenshot({ path: fileURLToPath(new URL(`docs-${width}-${scheme}.png`, REPORTS)), fullPage: true })
    })
  })

  it('has no text of too little contrast on the page of errors', options, async () => {
    const { url } = await startHttp()
    const { page } = await watched()
    await page.goto(`${url}/docs/errors`)
    await inBothSchemes(page, (scheme) => expectContrast(page, scheme))
  })
})
