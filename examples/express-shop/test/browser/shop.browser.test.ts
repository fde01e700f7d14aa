import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { transferCompleted, transferFailed } from '@tonplug/testing'
import { createDevelopmentGateway } from '../../src/development-gateway.js'
import { SECRET, startShop } from '../harness.js'
import type { ShopHarness } from '../harness.js'

const TX_HASH = 'a1'.repeat(32)
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
})

afterAll(() => browser.close())

/** A page, and everything that must not happen on it. */
interface WatchedPage {
  page: Page
  /** Console errors, uncaught exceptions, CSP violations and failed requests. */
  problems: string[]
  /** Addresses of the main frame, one per navigation. */
  navigations: string[]
}

async function openPage(url: string, viewport = DESKTOP): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  const navigations: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('requestfailed', (request) => problems.push(`${request.url()} failed`))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.url()} answered ${response.status()}`)
  })
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) navigations.push(frame.url())
  })
  await page.exposeFunction('reportViolation', (directive: string) => problems.push(directive))
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation',
      ({ violatedDirective }) => reportViolation(violatedDirective))`,
  })
  await page.goto(url)
  return { page, problems, navigations }
}

async function buyInPage({ page }: WatchedPage, product: string): Promise<string> {
  await page.getByRole('button', { name: `Buy ${product}` }).click()
  await page.waitForURL('**/orders/*')
  await page.getByText('Waiting for payment').waitFor()
  return (await page.locator('#reference').textContent()) ?? ''
}

async function startDevelopmentShop(): Promise<ShopHarness> {
  let url = ''
  const webhookUrl = () => `${url}/webhooks/ton`
  const shop = await startShop({
    gateway: createDevelopmentGateway({ secret: SECRET, webhookUrl }),
  })
  url = shop.url
  return shop
}

function findOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}

describe('the shop in a browser', () => {
  test('S37 the order page turns to paid by itself when a webhook arrives', async () => {
    const shop = await startShop()
    const watched = await openPage(shop.url)
    const { page, problems, navigations } = watched
    const reference = await buyInPage(watched, 'Hoodie')
    expect(await page.locator('#amount').textContent()).toBe('10.5 TON')
    await page.evaluate(() => Reflect.set(globalThis, 'isSameDocument', true))
    const before = [...navigations]

    expect(await shop.deliver(transferCompleted({ reference, txHash: TX_HASH }))).toBe(200)

    await page.locator('#status[data-status="completed"]').getByText('Paid').waitFor()
    await page.getByText(/Shipped as PARCEL-/).waitFor()
    expect(await page.locator('#transaction').textContent()).toBe(TX_HASH)
    expect(await page.title()).toContain('Paid')
    expect(navigations).toEqual(before)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSameDocument'))).toBe(true)
    expect(await page.locator('.simulation').count()).toBe(0)
    expect(problems).toEqual([])
  })

  test('S28 S31 the order page shows a failed transfer and a wrong amount', async () => {
    const shop = await startShop()
    const watched = await openPage(shop.url)
    const reference = await buyInPage(watched, 'Hoodie')
    const problem = watched.page.getByRole('alert')

    await shop.deliver(transferCompleted({ reference, rawAmount: '10499999999' }))
    await problem.getByText('10.499999999 TON arrived instead of 10.5 TON').waitFor()
    await watched.page.getByText('Waiting for payment').waitFor()

    await shop.deliver(transferFailed({ reference, txHash: TX_HASH }))
    await problem.getByText('The transfer failed: Not enough TON').waitFor()
    await watched.page.getByText('Payment failed').waitFor()
    expect(watched.problems).toEqual([])
  })

  test('the panel of the development gateway pays the order', async () => {
    const shop = await startDevelopmentShop()
    const watched = await openPage(shop.url)
    await buyInPage(watched, 'Gift box')

    await watched.page.getByRole('button', { name: 'Pay, delivered twice' }).click()

    await watched.page.getByText('the shop answered 200, 200.').waitFor()
    await watched.page.locator('#status').getByText('Paid').waitFor()
    expect(await watched.page.getByText(/^Shipped as PARCEL-/).count()).toBe(1)
    expect(watched.problems).toEqual([])
  })

  test('nothing is wider than a phone', async () => {
    const shop = await startDevelopmentShop()
    const watched = await openPage(shop.url, PHONE)
    await watched.page.getByRole('button', { name: 'Buy Gift box' }).waitFor()
    expect(await findOverflow(watched.page)).toBeLessThanOrEqual(0)

    const reference = await buyInPage(watched, 'Hoodie')
    await shop.deliver(transferFailed({ reference }))
    await shop.deliver(transferCompleted({ reference, txHash: TX_HASH }))
    await watched.page.getByText(/Shipped as PARCEL-/).waitFor()
    await watched.page.getByRole('button', { name: 'Pay too little' }).waitFor()
    expect(await findOverflow(watched.page)).toBeLessThanOrEqual(0)
    expect(watched.problems).toEqual([])
  })
})
