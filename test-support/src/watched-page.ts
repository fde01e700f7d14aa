import { source as AXE } from 'axe-core'
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
})

afterAll(() => browser.close())

/** A page and its problems. */
export interface WatchedPage {
  page: Page
  /** Console errors, uncaught exceptions, violations of the content security policy, and requests to other origins. */
  problems: string[]
}

/** Opens a page until the test ends. */
export async function openPage(
  url: string,
  options: BrowserContextOptions = { viewport: { width: 1280, height: 900 } },
): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  // On a machine under load, a page may need longer than the 30 seconds of Playwright.
  context.setDefaultTimeout(60_000)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && origin !== new URL(url).origin)
      problems.push(`unexpected request to ${request.url()}`)
  })
  await page.goto(url)
  return { page, problems }
}

/** Returns the serious and critical findings of axe about the page as it is now. */
export async function findBarriers(page: Page): Promise<string[]> {
  // Not as a script element, which a content security policy rejects.
  await page.evaluate(AXE)
  return page.evaluate<string[]>(`axe.run(document, { resultTypes: ['violations'] })
    .then(({ violations }) => violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
      .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + failureSummary)))`)
}

/** Returns the horizontal overflow of a page in pixels. */
export function findOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}
