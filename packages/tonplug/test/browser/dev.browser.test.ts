import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DEV_SECRET, startDev } from '../dev-process.js'
import { openExpressShop } from '../express-shop.js'
import { findOverflow, openPage } from './watched-page.js'

const SCREENSHOT = process.env['DEV_PAGE_SCREENSHOT']

/** Creates a transfer on the page, which opens its row. */
async function createOnPage(page: Page, amount: string, ticker = 'TON'): Promise<Locator> {
  const before = await transfers(page).count()
  await page.getByLabel('Amount').fill(amount)
  await page.getByLabel('Asset').selectOption(ticker)
  await page.getByLabel('Comment').fill('Hoodie, size M')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => transfers(page).count()).toBe(before + 1)
  const row = transfers(page).first()
  await row.getByRole('button', { name: 'Pay', exact: true }).waitFor()
  return row
}

const transfers = (page: Page): Locator => page.locator('#transfer-list > li')
const attempts = (page: Page): Locator => page.locator('#attempt-list > li')

async function referenceOf(row: Locator): Promise<string> {
  return (await row.getAttribute('data-reference')) ?? ''
}

describe('the page of tonplug dev', () => {
  test('S37 pays, shows the delivery and its response, and sends it again', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const { page, problems } = await openPage(dev.start.page)
    await page.getByText('None yet.').waitFor()
    await page.getByText('Nothing was delivered yet.').waitFor()

    const row = await createOnPage(page, '10.000000001')
    expect(await row.getByRole('button', { name: 'Send the webhook again' }).isDisabled()).toBe(
      true,
    )
    const reference = await referenceOf(row)
    const order = { reference, rawAmount: 10_000_000_001n, asset: 'TON' }
    shop.orders.add({ ...order, recipient: dev.start.merchant, status: 'pending' })
    await row.getByRole('button', { name: 'Pay', exact: true }).click()

    await row.getByText('paid', { exact: true }).waitFor()
    const first = attempts(page).first()
    await first.getByText('200', { exact: true }).waitFor()
    await first.getByRole('button').click()
    await first.getByText(`POST ${shop.url}`).waitFor()
    await first.getByText(`"reference": "${reference}"`).waitFor()
    await first.getByText('x-tonpay-signature', { exact: true }).waitFor()
    await first.getByLabel('Body of the response').getByText('"ok": true').waitFor()
    expect(await page.locator('#announcement').textContent()).toBe('Delivery 1: status 200')
    await page.getByText('999989.', { exact: false }).waitFor()

    await row.getByLabel('How').selectOption('duplicate')
    await row.getByRole('button', { name: 'Send the webhook again' }).click()
    await expect.poll(() => attempts(page).count()).toBe(3)
    // The open row stays open, although newer ones precede it.
    expect(await attempts(page).last().getByText(`POST ${shop.url}`).isVisible()).toBe(true)
    expect(shop.decisions).toEqual(['paid', 'duplicate', 'duplicate'])
    expect(shop.shipped).toEqual([reference])
    expect(await page.content()).not.toContain(DEV_SECRET)
    expect(problems).toEqual([])
  })

  test('simulates a fault of a delivery, and shows the refusal and the retry', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url, ['--no-chain'])
    const { page, problems } = await openPage(dev.start.page)
    const row = await createOnPage(page, '2.5', 'USDT')
    await row.getByLabel('How').selectOption('wrong-secret')
    await row.getByLabel('the first attempt only').check()
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await attempts(page).first().getByText('401', { exact: true }).waitFor()
    await page.locator('#running-actions').getByText('wrong secret').waitFor()
    await attempts(page).first().getByText('retry 1').waitFor()
    await attempts(page).first().getByText('200', { exact: true }).waitFor()
    expect(await page.locator('#wallets-card').isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  test('works with the keyboard only, and reports an invalid amount', async () => {
    const dev = await startDev('http://127.0.0.1:1/', ['--no-chain'])
    const { page } = await openPage(dev.start.page)
    await page.getByLabel('Amount').fill('0.1.2')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The amount must be a number above 0').waitFor()
    await page.getByLabel('Amount').fill('1')
    await page.keyboard.press('Enter')
    await transfers(page).first().waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('head')
    for (let count = 0; count < 2; count++) await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Pay')
    await page.keyboard.press('Enter')
    await attempts(page).first().getByText('no response').waitFor()
    await attempts(page).first().getByRole('button').focus()
    await page.keyboard.press('Enter')
    await attempts(page)
      .first()
      .getByText(/ECONNREFUSED|fetch failed|bad port/)
      .first()
      .waitFor()
  })

  test('reports a lost connection', async () => {
    const dev = await startDev('http://127.0.0.1:1/', ['--no-chain'])
    const { page } = await openPage(dev.start.page)
    const row = await createOnPage(page, '1')
    await dev.end('SIGINT')
    await page.getByText('Disconnected.').waitFor()
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await row.getByText('tonplug dev does not respond').waitFor()
    expect(await page.locator('#connection').getAttribute('data-state')).toBe('disconnected')
  })

  test('shows the link for a wallet app on a network', async () => {
    const recipient = 'UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe'
    const network = ['--v3', 'http://127.0.0.1:1', '--recipient', recipient]
    const dev = await startDev('http://127.0.0.1:1/', network)
    const { page, problems } = await openPage(dev.start.page)
    await page.getByRole('button', { name: 'Create' }).click()
    const row = transfers(page).first()
    await row.getByText(`ton://transfer/${recipient}?amount=10500000000&bin=`).waitFor()
    expect(await row.getByRole('button', { name: 'Pay' }).count()).toBe(0)
    expect(await row.getByRole('button', { name: 'Send the webhook again' }).isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  test.each(['light', 'dark'] as const)('fits the width of a phone (%s)', async (scheme) => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const viewport = { width: 390, height: 844 }
    const { page, problems } = await openPage(dev.start.page, { viewport, colorScheme: scheme })
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    const row = await createOnPage(page, '12345.123456789')
    await row.getByLabel('How').selectOption('slow')
    await row.getByLabel('How').selectOption('duplicate')
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect.poll(() => attempts(page).count()).toBe(2)
    await attempts(page).first().getByRole('button').click()
    await page.getByText('"ok": true').waitFor()
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    expect(problems).toEqual([])
  })

  test.runIf(SCREENSHOT !== undefined)('takes the screenshot of the guide', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const { page } = await openPage(dev.start.page, { viewport: { width: 1280, height: 720 } })
    await (await createOnPage(page, '25', 'USDT')).getByRole('button').first().click()
    const row = await createOnPage(page, '10.5')
    const reference = await referenceOf(row)
    shop.orders.add({ reference, rawAmount: 10_500_000_000n, asset: 'TON', status: 'pending' })
    await row.getByLabel('How').selectOption('wrong-secret')
    await row.getByLabel('the first attempt only').check()
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await attempts(page).first().getByText('200', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Send the webhook again' }).click()
    await expect.poll(() => attempts(page).count(), { timeout: 10_000 }).toBe(4)
    await attempts(page).first().getByRole('button').click()
    await page.getByText('"ok": true').waitFor()
    await page.evaluate('scrollTo(0, 0)')
    await page.screenshot({ path: String(SCREENSHOT) })
  })
})
