// A Chromium for the tests of a file.
import { type Browser, chromium, type Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'

const TIMEOUT_MS = 60_000

/** Chromium cancels all requests when a network interface comes or goes, as with each container of another test. */
const CANCELLED = 'net::ERR_NETWORK_CHANGED'

/** Give `options` to each test that opens a page: it runs again if a request of the page was cancelled. */
export const shareBrowser = (executablePath: string) => {
  let browser: Browser | undefined
  let isCancelled = false
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--disable-gpu', '--disable-quic', '--disable-sync'] })
    return () => browser?.close()
  }, TIMEOUT_MS)

  const openPage = async (): Promise<Page> => {
    if (browser === undefined) throw new Error('the browser exists only while tests run')
    isCancelled = false
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } })
    onTestFinished(() => page.close())
    page.on('requestfailed', (request) => {
      isCancelled ||= request.failure()?.errorText === CANCELLED
    })
    return page
  }

  return { openPage, options: { timeout: TIMEOUT_MS, retry: { count: 3, condition: () => isCancelled } } }
}
