import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { DEV_SECRET, startDev } from '../dev-process.js'
import { holdRetries, openExpressShop } from '../express-shop.js'
import { findBarriers, findOverflow, openPage } from '@tonplug/test-support/watched-page'

/** A folder for the pictures of the guide; without it, none are taken. */
const SCREENSHOTS = process.env['SCREENSHOTS']

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
    await first.getByLabel('Body of the request').getByText(reference).waitFor()
    await first.getByText('x-tonpay-signature', { exact: true }).waitFor()
    await first.getByLabel('Body of the response').getByText('"ok": true').waitFor()
    expect(await page.locator('#announcement').textContent()).toBe(
      'transfer.completed (success): paid, status 200',
    )
    await page.getByText('999989.', { exact: false }).waitFor()

    await row.getByLabel('How').selectOption('duplicate')
    await row.getByRole('button', { name: 'Send the webhook again' }).click()
    await expect.poll(() => attempts(page).count()).toBe(3)
    // The open row stays open, although newer ones precede it.
    expect(await attempts(page).last().getByText(`POST ${shop.url}`).isVisible()).toBe(true)
    expect(shop.decisions).toEqual(['paid', 'duplicate', 'duplicate'])
    await expect.poll(() => shop.shipped).toEqual([reference])
    expect(await page.content()).not.toContain(DEV_SECRET)
    expect(problems).toEqual([])
  })

  test('simulates a fault of a delivery, and shows the refusal and the retry', async () => {
    const { ahead, release } = holdRetries()
    const shop = await openExpressShop(DEV_SECRET, ahead)
    const dev = await startDev(shop.url, ['--no-chain'])
    const { page, problems } = await openPage(dev.start.page)
    const row = await createOnPage(page, '2.5', 'USDT')
    await row.getByLabel('How').selectOption('wrong-secret')
    await row.getByLabel('the first attempt only').check()
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await attempts(page).first().getByText('401', { exact: true }).waitFor()
    await page.locator('#running-actions').getByText('wrong secret').waitFor()
    release()
    await attempts(page).first().getByText('retry 1').waitFor()
    await attempts(page).first().getByText('200', { exact: true }).waitFor()
    expect(await page.locator('#wallets-card').isVisible()).toBe(false)
    expect(problems).toEqual([])
  })

  test('shows the requested beside the received amount, and the rule that failed under status 200', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const { page, problems } = await openPage(dev.start.page)
    await page.getByLabel('Reference', { exact: true }).fill('order-17')
    const row = await createOnPage(page, '10.5')
    expect(await referenceOf(row)).toBe('order-17')
    const order = { reference: 'order-17', rawAmount: 10_500_000_000n, asset: 'TON' }
    shop.orders.add({ ...order, recipient: dev.start.merchant, status: 'pending' })
    await row.getByRole('button', { name: 'Pay half' }).click()
    const first = attempts(page).first()
    await first.getByText('amount mismatch', { exact: true }).waitFor()
    await first.getByText('transfer.completed (success)').waitFor()
    await first.getByText('Rule 6 failed').waitFor()
    await first.getByText('Expected 10500000000, received 5250000000.').waitFor()
    for (const one of [first, row]) {
      const amounts = await one.locator('.amounts').first().innerText()
      expect(amounts.replace(/\s+/g, ' ')).toBe('requested 10.5 TON received 5.25 TON')
    }
    const fact = row.locator('dl > div').filter({ hasText: 'Transaction' })
    const txHash = await fact.locator('code').innerText()
    expect(txHash).toMatch(/^[0-9a-f]{64}$/)

    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await attempts(page).first().getByText('paid', { exact: true }).waitFor()
    await row.getByText('shop: paid').waitFor()
    await page.getByLabel('Result').selectOption('problem')
    await expect.poll(() => attempts(page).count()).toBe(1)
    await page.getByLabel('Filter').fill('order-18')
    await page.getByText('No delivery matches.').waitFor()
    await page.getByLabel('Filter').fill(txHash)
    await expect.poll(() => attempts(page).count()).toBe(1)
    expect(shop.decisions).toEqual(['amount_mismatch', 'paid'])
    expect(problems).toEqual([])
  })

  test('copies the reference, the hash, the body, and a cURL command that the shop accepts', async () => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url, ['--no-chain'])
    const { page } = await openPage(dev.start.page)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByLabel('Reference', { exact: true }).fill("order-'17'")
    const row = await createOnPage(page, '1')
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    const first = attempts(page).first()
    await first.getByRole('button').click()
    const copied = async (name: string): Promise<string> => {
      await first.getByRole('button', { name }).click()
      return page.evaluate('navigator.clipboard.readText()')
    }
    expect(await copied('Copy the reference')).toBe("order-'17'")
    expect(await copied('Copy the transaction')).toMatch(/^[0-9a-f]{64}$/)
    const body = await copied('Copy: Body of the request')
    expect(JSON.parse(body)).toMatchObject({ data: { reference: "order-'17'" } })
    const { stdout } = await promisify(execFile)('sh', ['-c', await copied('Copy cURL')])
    expect(stdout).toContain('{"ok":true,"decision":{')
    expect(shop.decisions).toEqual(['unknown_order', 'unknown_order'])
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

  test('shows HTML in comments and references as text', async () => {
    const dev = await startDev('http://127.0.0.1:1/', ['--no-chain'])
    const { page, problems } = await openPage(dev.start.page)
    const html = '<img src=x onerror="document.title=`owned`">'
    await page.getByLabel('Reference', { exact: true }).fill(html)
    await page.getByLabel('Comment').fill('<script>document.title="owned"</script>')
    await page.getByRole('button', { name: 'Create' }).click()
    const row = transfers(page).first()
    await row.getByText('<script>').waitFor()
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await attempts(page).first().getByRole('button').click()
    await attempts(page).first().getByText(html).first().waitFor()
    expect(await page.locator('main script, main img').count()).toBe(0)
    expect(await page.title()).toBe('tonplug dev')
    expect(problems).toEqual([])
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
    await page.getByLabel('Body of the response').getByText('"ok": true').waitFor()
    expect(await findOverflow(page)).toBeLessThanOrEqual(0)
    expect(await findBarriers(page)).toEqual([])
    expect(problems).toEqual([])
  })

  test.runIf(SCREENSHOTS !== undefined).each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('takes the screenshots of the guide (%i, %s)', async (width, colorScheme) => {
    const shop = await openExpressShop(DEV_SECRET)
    const dev = await startDev(shop.url)
    const viewport = { width, height: width === 390 ? 844 : 800 }
    const { page } = await openPage(dev.start.page, { viewport, colorScheme })
    await createOnPage(page, '25', 'USDT')
    await transfers(page).first().getByRole('button').first().click()
    await page.getByLabel('Reference', { exact: true }).fill('order-17')
    const row = await createOnPage(page, '10.5')
    shop.orders.add({
      reference: 'order-17',
      rawAmount: 10_500_000_000n,
      asset: 'TON',
      status: 'pending',
    })
    await row.getByLabel('How').selectOption('wrong-secret')
    await row.getByLabel('the first attempt only').check()
    await row.getByRole('button', { name: 'Pay half' }).click()
    await attempts(page).first().getByText('200', { exact: true }).waitFor()
    await row.getByLabel('How').selectOption('none')
    await row.getByRole('button', { name: 'Pay', exact: true }).click()
    await attempts(page).first().getByText('paid', { exact: true }).waitFor()
    await attempts(page).first().getByRole('button').first().click()
    await page.getByRole('region', { name: 'Body of the response' }).waitFor()
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
    const isFull = width === 390
    const path = `${SCREENSHOTS}/tonplug-dev-${width}-${colorScheme}.png`
    const picture = await page.screenshot({ path, fullPage: isFull })
    expect(picture.length).toBeGreaterThan(10_000)
  })
})
