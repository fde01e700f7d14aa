import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serveSite, visit, type SiteServer } from './site-server.js'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

let browser: Browser
let site: SiteServer
let origin: string

beforeAll(async () => {
  site = await serveSite()
  origin = site.origin
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
})

afterAll(async () => {
  await browser.close()
  site.close()
})

/** Opens a page that collects console errors, uncaught exceptions and answers that are no success. */
async function openPage(viewport = DESKTOP): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.url()}: ${response.status()}`)
  })
  return { page, problems }
}

test('no page is wider than a phone', async () => {
  const { page, problems } = await openPage(PHONE)
  const paths = [
    '/',
    '/start/gateway.html',
    '/common-problems.html',
    '/comparison.html',
    '/guide/rules-and-answers.html',
    '/reference/scenarios.html',
    '/reference/commands-for-payments.html',
    '/reference/v3/V3Action.html',
    '/reference/api/@tonplug/core/functions/createPayments.html',
    '/packages/core.html',
    '/examples/payouts.html',
  ]
  const tooWide: string[] = []
  for (const path of paths) {
    await page.goto(`${origin}${path}`)
    await page.locator('h1').first().waitFor()
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) tooWide.push(path)
  }
  expect(tooWide).toEqual([])
  expect(problems).toEqual([])
})

test('the quick start is one step from the home page, and the search finds a guide', async () => {
  const { page, problems } = await openPage()
  await visit(page, `${origin}/`)

  await page.getByRole('link', { name: 'Take your first payment' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Take your first payment' }).waitFor()
  await page.getByRole('button', { name: 'Search' }).first().click()
  await page.getByRole('searchbox').fill('keepRawBody')
  await page.getByRole('option').getByText('When a parser comes first').first().click()

  await page.getByRole('heading', { level: 1, name: 'Express' }).waitFor()
  expect(page.url()).toBe(`${origin}/guide/express.html#when-a-parser-comes-first`)
  expect(problems).toEqual([])
})

test('a shell command is offered for several package managers', async () => {
  const { page } = await openPage()
  await visit(page, `${origin}/start/gateway.html`)
  await page.locator('label', { hasText: 'pnpm' }).click()
  await page.getByText('pnpm add').first().waitFor()
  expect(await page.locator('.file-name').allTextContents()).toEqual(['server.mjs', 'pay.mjs'])
})

test('every link of the home page and of the lists beside the pages leads somewhere', async () => {
  const { page } = await openPage()
  const links = new Set<string>()
  for (const path of ['/', '/guide/express.html', '/reference/v2/']) {
    await page.goto(`${origin}${path}`)
    const found = await page.evaluate<string[]>(
      `[...document.querySelectorAll('a[href^="/"]')].map((link) => link.getAttribute('href'))`,
    )
    for (const link of found) links.add(link)
  }
  const answers = await Promise.all(
    [...links].map(async (link) => [link, (await fetch(`${origin}${link}`)).status] as const),
  )
  expect(answers.filter(([, status]) => status !== 200)).toEqual([])
  expect(links.size).toBeGreaterThan(100)
})

test('a link to a file of the repository leads to the repository', async () => {
  const { page } = await openPage()
  await page.goto(`${origin}/security.html`)
  const link = page.locator('main a[href$="constant-time.test.ts"]')
  expect(await link.first().getAttribute('href')).toBe(
    'https://github.com/tonplug/tonplug/blob/main/packages/core/test/payments/webhook/constant-time.test.ts',
  )
})
