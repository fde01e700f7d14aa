import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { findBarriers, findOverflow, openPage } from '@tonplug/test-support/watched-page'
import { DEV_SECRET, startDev, startDevChain } from '../dev-process.js'
import { openExpressShop } from '../express-shop.js'
import { openWatchingShop, type WatchingShop } from '../watching-shop.js'

/** A folder for the pictures of the guide; without it, none are taken. */
const SCREENSHOTS = process.env['SCREENSHOTS']
const SIZES = [
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const

const orders = (page: Page): Locator => page.locator('#order-list > li')

async function openLink(page: Page, link: string): Promise<Locator> {
  await page.getByLabel('Link of your shop').fill(link)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  const row = orders(page).first()
  await row.getByRole('button', { name: 'Pay', exact: true }).waitFor()
  return row
}

/** Returns the decisions about the payments of an order, newest first. */
async function decisionsIn(row: Locator): Promise<string[]> {
  const badges = await row.getByLabel('Payments').locator('.badge').allTextContents()
  return badges.map((text) => text.replace('shop: ', ''))
}

async function openShop(): Promise<{ shop: WatchingShop; url: string }> {
  const shop = await openWatchingShop()
  const dev = await startDevChain(['--shop', shop.route])
  shop.pointAt(dev)
  return { shop, url: dev.start.page }
}

/** Pays three orders, so that the page shows each tone. */
async function payOrders(page: Page, shop: WatchingShop): Promise<Locator> {
  const usdt = await shop.order({ amount: '19.99', asset: shop.usdt })
  const expiresAt = new Date(Date.now() + 15 * 60_000)
  const ton = await shop.order({ amount: '0.5', asset: 'TON', expiresAt })
  const first = await openLink(page, usdt.link)
  await first.getByRole('button', { name: 'Pay by a relay' }).click()
  await first.getByText('shop: paid').first().waitFor()
  await first.getByRole('button').first().click()
  const row = await openLink(page, ton.link)
  await row.getByRole('button', { name: 'Pay half' }).click()
  await row.getByText('shop: partially paid').first().waitFor()
  await row.getByRole('button', { name: 'Pay', exact: true }).click()
  await row.getByLabel('Payments').getByText('shop: paid').waitFor()
  await row.getByRole('button', { name: 'Pay', exact: true }).click()
  await row.getByText('shop: extra payment').waitFor()
  return row
}

describe('the page of tonplug dev without a gateway', () => {
  test('pays an order of the shop by click, and shows what the shop decides', async () => {
    const { shop, url } = await openShop()
    const { page, problems } = await openPage(url)
    await page.getByText('None yet.').waitFor()
    const { link, reference } = await shop.order({ amount: '0.5', asset: 'TON' })
    const row = await openLink(page, link)
    expect(await row.getByRole('button', { name: 'Pay late' }).isDisabled()).toBe(true)
    await row.getByText('shop: waiting').waitFor()
    await row.getByRole('button', { name: 'Pay half' }).click()
    await row.getByText('The shop has received less than the price.').waitFor()
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await row.getByText('All rules passed; the order is completed.').waitFor()
    await expect
      .poll(() => page.locator('#payment-announcement').textContent())
      .toBe('Pay: All rules passed; the order is completed.')
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect.poll(() => decisionsIn(row)).toEqual(['extra payment', 'paid', 'amount mismatch'])
    await expect.poll(() => shop.shipped).toEqual([reference])
    expect(problems).toEqual([])
  })

  test('states that a shop reports no decisions, and shows none', async () => {
    const shop = await openWatchingShop({ isReporting: false })
    const dev = await startDevChain(['--shop', shop.route])
    shop.pointAt(dev)
    const { page } = await openPage(dev.start.page)
    const row = await openLink(page, (await shop.order({ amount: '0.5', asset: 'TON' })).link)
    const hint = page.getByText('Your shop has reported no decision.')
    await row.getByRole('button', { name: 'Pay twice' }).click()
    await row.getByLabel('Payments').waitFor()
    expect(await hint.count()).toBe(0)
    await row.getByText('The order is completed.').waitFor()
    await hint.waitFor()
    expect(await decisionsIn(row)).toEqual([])
  })

  test('opens the link in its address, and reports an invalid one', async () => {
    const { shop, url } = await openShop()
    const { link } = await shop.order({ amount: '2.5', asset: shop.usdt })
    const { page, problems } = await openPage(`${url}/#${link}`)
    await orders(page).first().getByText('2.5 USDT').waitFor()
    await page.getByLabel('Link of your shop').fill('https://example.com')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The link must be ton://transfer/').waitFor()
    expect(problems.filter((problem) => !problem.includes('status of 400'))).toEqual([])
  })

  test('works with the keyboard only', async () => {
    const { shop, url } = await openShop()
    const { link } = await shop.order({ amount: '0.5', asset: 'TON' })
    const { page } = await openPage(url)
    await page.getByLabel('Link of your shop').fill(link)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('head')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Pay')
    await page.keyboard.press('Enter')
    await orders(page).first().getByText('the order is completed.').first().waitFor()
  })

  test('moves the time on, and funds an address', async () => {
    const { url } = await openShop()
    const { page } = await openPage(url)
    await page.getByLabel('Step').selectOption('1 hour')
    await page.getByRole('button', { name: 'Move time on' }).click()
    await page.getByText('60 min').waitFor()
    const address = await page.locator('.wallet code').first().innerText()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByRole('button', { name: 'Send 100 of each coin' }).click()
    await page.getByText('Sent to').waitFor()
    const shopWallet = page.locator('.wallet').first()
    await expect.poll(() => shopWallet.innerText()).toContain('100 USDT')
  })

  test('has a tab for the gateway with a webhook route', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const { page, problems } = await openPage(dev.start.page)
    const tabs = page.getByRole('navigation', { name: 'Parts of the page' })
    await page.getByText('Nothing was delivered yet.').waitFor()
    await tabs.getByRole('button', { name: 'Chain' }).click()
    await page.getByLabel('Link of your shop').waitFor()
    await tabs.getByRole('button', { name: 'Gateway' }).click()
    await page.getByRole('button', { name: 'Create' }).waitFor()
    expect(problems).toEqual([])
  })

  test.each(SIZES)('fits a width of %i (%s) without barriers', async (width, colorScheme) => {
    const { shop, url } = await openShop()
    const viewport = { width, height: width === 390 ? 844 : 900 }
    const { page, problems } = await openPage(url, { viewport, colorScheme })
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    await payOrders(page, shop)
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    expect(await findBarriers(page)).toEqual([])
    expect(problems).toEqual([])
    if (SCREENSHOTS === undefined) return
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
    const path = `${SCREENSHOTS}/tonplug-dev-chain-${width}-${colorScheme}.png`
    await page.screenshot({ path, fullPage: width === 390 })
  })
})
