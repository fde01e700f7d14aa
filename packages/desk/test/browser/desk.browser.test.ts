import { createOperator } from '@tonplug/core/operator'
import type { Page, Route } from 'playwright-core'
import { findBarriers, findOverflow, openPage } from '@tonplug/test-support/watched-page'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, test } from 'vitest'
import { addOrder, openChain, openDeskShop, type DeskShop } from './desk-shop.js'

/** A folder for the pictures of the guide; without it, none are taken. */
const SCREENSHOTS = process.env['SCREENSHOTS']

/** The recipient of the delivered transfers. */
const RECIPIENT = transferCompleted().data.recipientAddr

const rows = (page: Page) => page.locator('tbody tr')

/** Delivers a payment, a payment of half the amount, an unknown reference, and a body that is not JSON. */
async function deliverAll(shop: DeskShop): Promise<void> {
  addOrder(shop, 'order-1', { createdAt: new Date() })
  addOrder(shop, 'order-2')
  await shop.deliver({ reference: 'order-1' })
  await shop.deliver({ reference: 'order-2', rawAmount: '5250000000' })
  await shop.deliver({ reference: 'order-of-nobody' })
  await shop.deliver('{"event":')
  await expect.poll(() => shop.shipped).toEqual(['order-1'])
}

describe('the list of payments', () => {
  test('selects groups, and finds a reference, a hash, an address and an amount', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page, problems } = await openPage(shop.url)
    await expect.poll(() => rows(page).count()).toBe(4)
    const [newest] = await createOperator({ payments: shop.payments }).list({
      reference: 'order-1',
    })
    const hash = String(newest?.txHash)
    expect(hash).toMatch(/^[0-9a-f]{64}$/)
    for (const [group, text] of [
      ['Needs a decision', 'partly paid'],
      ['Waiting', 'order-of-nobody'],
      ['Unknown order', 'unknown order'],
      ['Not readable', 'not readable'],
      ['Task failed', 'task failed'],
    ] as const) {
      await page.getByRole('link', { name: group, exact: true }).click()
      await page.getByRole('heading', { name: group, exact: true }).waitFor()
      await expect.poll(() => rows(page).count()).toBe(1)
      expect(await rows(page).innerText()).toContain(text)
    }
    await page.getByRole('link', { name: 'All', exact: true }).click()
    const search = page.getByRole('searchbox', { name: 'Search' })
    for (const [text, count] of [
      ['order-2', 1],
      [hash, 1],
      [Buffer.from(hash, 'hex').toString('base64'), 1],
      ['5.25', 1],
      ['UQAoSO8hREBdJiq5-AyDPcct9hqfiVdKBHPJd1i8NQnknODe', 3],
    ] as const) {
      await search.fill(text)
      await search.press('Enter')
      await expect.poll(() => rows(page).count()).toBe(count)
    }
    expect(problems).toEqual([])
  })

  test('goes to older payments and back', async () => {
    const shop = await openDeskShop()
    for (let count = 0; count < 52; count++) await shop.deliver({ reference: `order-${count}` })
    const { page } = await openPage(shop.url)
    await expect.poll(() => rows(page).count()).toBe(50)
    await page.getByRole('link', { name: 'Older' }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.getByRole('link', { name: 'Newest' }).click()
    await expect.poll(() => rows(page).count()).toBe(50)
  })

  test('links to an order that has no reports', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-7')
    const { page } = await openPage(shop.url)
    await page.getByRole('searchbox').fill('order-7')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'order-7', exact: true }).click()
    await page.getByRole('heading', { name: 'order-7' }).waitFor()
    await page.getByText('Order order-7 asks for 10.5 TON. No money has arrived yet.').waitFor()
    await expect.poll(() => page.title()).toBe('order-7: waiting – tonplug desk')
  })
})

describe('the story of a payment', () => {
  test('begins with what happened, and folds the details', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page, problems } = await openPage(shop.url)
    await page.getByRole('link', { name: 'order-1', exact: true }).click()
    await page.getByRole('heading', { name: 'order-1' }).waitFor()
    await page.getByText('The task onPaid.mail of the shop has failed.').waitFor()
    await expect.poll(() => page.title()).toBe('order-1: task failed – tonplug desk')
    const mail = page.getByRole('row').filter({ hasText: 'mail' })
    expect(await mail.innerText()).toContain('SMTP server responded with 451 <b>try later</b>')
    await page.getByText('Details of the payment of').click()
    const link = page.getByRole('link', { name: 'Show the transaction' })
    expect(await link.getAttribute('href')).toMatch(
      /^https:\/\/testnet\.tonviewer\.com\/transaction\/[0-9a-f]{64}$/,
    )
    await page.getByText('Message of the payment gateway').click()
    await page.getByText('main', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Message of the payment gateway' }).waitFor()

    await page.getByRole('link', { name: '← Payments' }).click()
    await page.getByRole('link', { name: 'order-2', exact: true }).click()
    await page.getByText('5.25 TON of 10.5 TON arrived').waitFor()
    await page.getByText('Details of the payment of').click()
    const amount = page.getByRole('row').filter({ hasText: 'The amount fits' })
    expect(await amount.innerText()).toContain('no')
    expect(problems).toEqual([])
  })

  test('is read again after a response, and kept while the server does not respond', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page } = await openPage(`${shop.url}#/orders`)
    await page.clock.install()
    const requests: Route[] = []
    await page.route(/api\/payment\?/, (route) => void requests.push(route))
    const shown = page.getByText('The task onPaid.mail of the shop has failed.')
    const problem = page.getByText('The server does not respond.')
    await page.evaluate("location.hash = '#/payment?reference=order-1'")
    await expect.poll(() => requests.length).toBe(1)
    // A server that needs longer than the time between two requests is still shown.
    await page.clock.runFor(6_000)
    expect(requests).toHaveLength(1)
    await requests[0]?.continue()
    await shown.waitFor()
    await page.clock.runFor(6_000)
    await expect.poll(() => requests.length).toBe(2)
    await requests[1]?.abort()
    await problem.waitFor()
    expect(await shown.count()).toBe(1)
    await page.clock.runFor(6_000)
    await expect.poll(() => requests.length).toBe(3)
    await requests[2]?.continue()
    await problem.waitFor({ state: 'hidden' })
    expect(await shown.count()).toBe(1)
  })

  test('shows every time with its day in UTC, and names the zone once', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page } = await openPage(`${shop.url}#/payment?reference=order-2`)
    await page.getByText('The customer paid').waitFor()
    for (const time of await page.locator('time:visible').all()) {
      expect(await time.getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
      expect(await time.innerText()).toMatch(/20\d\d.*\d:\d\d/)
    }
    expect(await page.getByText('Times are in the time zone').count()).toBe(1)
  })

  test('runs a failed task again, and shows who did', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    shop.fixMail()
    const { page } = await openPage(`${shop.url}#/payment?reference=order-1`)
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByLabel('Reason').last().fill('The mail server is back.')
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click()
    await page.getByText('1 task runs again within seconds. (ada@example.com)').waitFor()
    const mail = page.getByRole('row').filter({ hasText: 'mail' }).first()
    await mail.getByText('done', { exact: true }).waitFor()
    const record = page.getByText('By ada@example.com. Reason: The mail server is back.')
    await expect.poll(() => record.count()).toBe(1)
  })

  test('checks a payment again after the amount of the order was corrected', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page } = await openPage(`${shop.url}#/payment?reference=order-2`)
    await page.getByText('partly paid', { exact: true }).waitFor()
    shop.orders.replace({
      reference: 'order-2',
      rawAmount: 5_250_000_000n,
      asset: 'TON',
      status: 'pending',
    })
    await page.getByRole('button', { name: 'Check it again' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Check it again' }).click()
    await page.getByText('Order order-2 is paid.').waitFor()
    await expect.poll(() => shop.shipped).toEqual(['order-1', 'order-2'])
  })

  test('repeats an action with a new token, and shows a rejection in the dialog', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page } = await openPage(`${shop.url}#/payment?reference=order-1`)
    await page.getByRole('button', { name: 'Run the task again' }).click()
    shop.signIn(undefined)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Run the task again' }).click()
    await dialog.getByText('You are not signed in.').waitFor()
    shop.signIn('grace@example.com')
    await dialog.getByRole('button', { name: 'Run the task again' }).click()
    const record = page.getByText('Failed tasks were run again. By grace@example.com.')
    await expect.poll(() => record.count()).toBe(1)
  })

  test('assigns a payment to an order', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-3')
    await shop.deliver({ reference: 'order-of-nobody' })
    const { page } = await openPage(`${shop.url}#/payment?reference=order-of-nobody`)
    await page.getByRole('button', { name: 'Assign to an order' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Order', { exact: true }).fill('order-4')
    await dialog.getByRole('button', { name: 'Assign to an order' }).click()
    const wrong = page.locator('.notice[data-tone=bad]')
    await wrong.getByText('There is no order with this reference.').waitFor()
    await page.getByRole('button', { name: 'Assign to an order' }).first().click()
    await dialog.getByLabel('Order', { exact: true }).fill('order-3')
    await dialog.getByLabel('Reason').fill('The buyer sent a receipt.')
    await dialog.getByRole('button', { name: 'Assign to an order' }).click()
    await page.getByText('It was assigned to order order-3. The order is paid.').waitFor()
    await expect.poll(() => shop.shipped).toEqual(['order-3'])
  })

  test('offers no action on a desk that is read-only', async () => {
    const shop = await openDeskShop({ actions: false })
    await deliverAll(shop)
    const { page } = await openPage(`${shop.url}#/payment?reference=order-1`)
    await page.getByRole('heading', { name: 'Tasks of the shop' }).waitFor()
    const names = await page.getByRole('button').allInnerTexts()
    expect(names.filter((name) => !name.startsWith('Copy'))).toEqual([])
  })
})

describe('every page', () => {
  const SCRIPT = '<script>document.title="owned"</script>'
  const IMAGE = '<img src=x onerror="document.title=`owned`">'

  test('shows HTML of payers and of orders as text', async () => {
    const shop = await openDeskShop()
    addOrder(shop, IMAGE, { createdAt: new Date(), note: SCRIPT })
    const comments = { commentToRecipient: IMAGE, commentToSender: SCRIPT }
    const jetton = { asset: SCRIPT, assetTicker: SCRIPT, senderAddr: IMAGE }
    await shop.deliver({ reference: IMAGE, ...jetton, ...comments })
    const { page, problems } = await openPage(shop.url)
    await page.getByText(SCRIPT).first().waitFor()
    await page.getByRole('link', { name: IMAGE }).click()
    await page.getByRole('heading', { name: IMAGE }).waitFor()
    await expect.poll(() => page.getByText(IMAGE).count()).toBeGreaterThan(2)
    await page.getByText('Details of the payment of').click()
    await page.getByText('Message of the payment gateway').click()
    expect(await page.locator('main script, main img').count()).toBe(0)
    await expect.poll(() => page.title()).toContain(IMAGE)
    expect(problems).toEqual([])
  })

  test('works with the keyboard only', async () => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page } = await openPage(shop.url)
    await rows(page).first().waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.innerText')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('main')
    await page.keyboard.press('Tab')
    await page.keyboard.type('order-2')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows(page).count()).toBe(1)
    await page.getByRole('link', { name: 'order-2', exact: true }).focus()
    await page.keyboard.press('Enter')
    const open = page.getByRole('button', { name: 'Check it again' })
    await open.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate('document.activeElement.name')).toBe('reason')
    await page.keyboard.press('Escape')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await open.evaluate('document.activeElement.innerText')).toBe('Check it again')
  })

  test.each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('has no barriers and no overflow (%i, %s)', async (width, colorScheme) => {
    const shop = await openDeskShop()
    await deliverAll(shop)
    const { page, problems } = await openPage(shop.url, {
      viewport: { width, height: 844 },
      colorScheme,
    })
    const check = async (): Promise<void> => {
      expect(await findOverflow(page)).toBeLessThanOrEqual(0)
      expect(await findBarriers(page)).toEqual([])
    }
    await rows(page).first().waitFor()
    await check()
    await page.getByRole('link', { name: 'order-1', exact: true }).click()
    await page.getByRole('heading', { name: 'Tasks of the shop' }).waitFor()
    await check()
    await page.getByRole('button', { name: 'Run again' }).click()
    await page.getByRole('dialog').waitFor()
    await check()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('waiting payments').waitFor()
    await check()
    const tasks = page.getByRole('row').filter({ hasText: 'failed for good: 1' })
    await tasks.getByRole('link', { name: 'Show the payments' }).click()
    await page.getByRole('heading', { name: 'Task failed', exact: true }).waitFor()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(problems).toEqual([])
  })

  test.runIf(SCREENSHOTS !== undefined).each([
    [1280, 'light'],
    [1280, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('takes the screenshots of the guide (%i, %s)', async (width, colorScheme) => {
    const clock = createFakeClock({ startMs: Date.now() - 720_000 })
    const { urls, merchant } = await openChain()
    const wallets = [merchant.address.toString(), RECIPIENT]
    const shop = await openDeskShop({ v3: urls.chain, wallets, clock })
    const wait = async (periods: number): Promise<void> => {
      for (let period = 0; period < periods; period++) {
        await clock.advance(15_000)
        // The sample is complete when the server responds.
        await fetch(`${shop.url}api/health`)
      }
    }
    await wait(40)
    await deliverAll(shop)
    await wait(8)
    await shop.deliver({ reference: 'order-3', status: 'failed' })
    await shop.deliver({ reference: 'order-1', txHash: '7c'.repeat(32) })
    const viewport = { width, height: width === 390 ? 844 : 800 }
    const { page } = await openPage(shop.url, { viewport, colorScheme })
    const shoot = async (name: string): Promise<void> => {
      const path = `${SCREENSHOTS}/desk-${name}-${width}-${colorScheme}.png`
      const picture = await page.screenshot({ path, fullPage: width === 390 || name === 'payment' })
      expect(picture.length).toBeGreaterThan(10_000)
    }
    await rows(page).first().waitFor()
    await shoot('transfers')
    await page.getByRole('link', { name: 'order-2', exact: true }).click()
    await page.locator('.happened').waitFor()
    await shoot('payment')
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByText('waiting payments').waitFor()
    await shoot('health')
  })
})
