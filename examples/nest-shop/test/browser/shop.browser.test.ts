import { chromium } from 'playwright-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { transferCompleted } from '@tonplug/testing'
import { startShop } from '../harness.js'

const TX_HASH = 'a1'.repeat(32)
const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
  })
})

afterAll(() => browser.close())

/** Opens a page that collects console errors, uncaught exceptions, CSP violations and failed requests. */
async function openPage(
  url: string,
  viewport = DESKTOP,
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext({ viewport })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('requestfailed', (request) => problems.push(`${request.url()} failed`))
  await page.goto(url)
  return { page, problems }
}

async function buyInPage(page: Page, product: string): Promise<string> {
  await page.getByRole('button', { name: `Buy ${product}` }).click()
  await page.getByText('Waiting for payment').waitFor()
  return (await page.locator('#reference').textContent()) ?? ''
}

function findOverflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - innerWidth')
}

describe('the shop in a browser', () => {
  test('S37 the order page turns to paid by itself when a webhook arrives', async () => {
    const shop = await startShop()
    const { page, problems } = await openPage(shop.url)
    const reference = await buyInPage(page, 'First Light')
    await page.evaluate(() => Reflect.set(globalThis, 'isSameDocument', true))

    const payload = { reference, amount: '6.5', rawAmount: '6500000000', txHash: TX_HASH }
    expect(await shop.deliver(transferCompleted(payload))).toBe(200)

    await page.locator('#status[data-status="completed"]').getByText('Paid').waitFor()
    await page.getByText(/Shipped as PARCEL-/).waitFor()
    expect(await page.locator('#transaction').textContent()).toBe(TX_HASH)
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSameDocument'))).toBe(true)
    expect(await page.locator('#simulation').isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  test('on a phone the panel fails, underpays and pays an order, and nothing is too wide', async () => {
    const shop = await startShop({ isDevelopment: true })
    const { page, problems } = await openPage(shop.url, PHONE)
    await page.getByRole('button', { name: 'Buy Half Caf' }).waitFor()
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    await buyInPage(page, 'Half Caf')

    await page.getByRole('button', { name: 'Pay too little' }).click()
    await page.getByRole('alert').getByText('9 USD₮ arrived instead of 18 USD₮').waitFor()
    await page.getByRole('button', { name: 'Let the payment fail' }).click()
    await page.getByRole('alert').getByText('The transfer failed').waitFor()
    await page.getByRole('button', { name: 'Pay, delivered twice' }).click()

    await page.getByText('the shop answered 200, 200.').waitFor()
    await page.locator('#status').getByText('Paid').waitFor()
    expect(await page.getByText(/^Shipped as PARCEL-/).count()).toBe(1)
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })

  test('an unknown order says so', async () => {
    const shop = await startShop()
    const { page } = await openPage(`${shop.url}/order.html?reference=nope`)

    await page.getByText('We do not know this order').waitFor()

    expect(await page.locator('#simulation').isVisible()).toBe(false)
  })
})
