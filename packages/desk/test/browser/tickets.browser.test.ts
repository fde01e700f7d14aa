import { text } from 'node:stream/consumers'
import { Address, comment, internal } from '@ton/core'
import { createPaymentVerifier, createTransferReport } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { deferred } from '@tonplug/test-support/deferred'
import { findBarriers, findOverflow, openPage } from '@tonplug/test-support/watched-page'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { UNWANTED } from '../words.js'
import { addOrder, openChain, openDeskShop, type DeskShop } from './desk-shop.js'

/** A folder for pictures; without it, none are taken. */
const SCREENSHOTS = process.env['SCREENSHOTS']
const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'
const PHONE = { width: 390, height: 844 }
const UNGUARDED = 'The desk cannot stop a second signature'
/** Pixels of an order with two payments on a phone. */
const MAX_HEIGHT = 2000

const ADDRESS = /[\w-]{48}/g

/** An operator who searches, and then clicks. */
interface Support {
  page: Page
  /** Clicks after the search. */
  clicks: () => number
  click: (role: 'link' | 'button', name: string | RegExp) => Promise<void>
  confirm: (name: string, reason?: string) => Promise<void>
}

async function search({ url }: DeskShop, wanted: string): Promise<Support> {
  const { page, problems } = await openPage(url, { viewport: PHONE })
  expect(problems).toEqual([])
  await page.getByRole('searchbox').fill(wanted)
  await page.keyboard.press('Enter')
  let count = 0
  return {
    page,
    clicks: () => count,
    click: async (role, name) => {
      count += 1
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click()
    },
    confirm: async (name, reason) => {
      count += 1
      const dialog = page.getByRole('dialog')
      if (reason !== undefined) await dialog.getByLabel('Reason').fill(reason)
      await dialog.getByRole('button', { name, exact: true }).click()
    },
  }
}

/** Expects that the page begins with a sentence and its first action, in words of support. */
async function expectPage(page: Page, state: string, happened: RegExp): Promise<void> {
  await page.locator('.happened').first().waitFor()
  expect(await page.locator('.happened').first().innerText()).toMatch(happened)
  // The page sets its title after it has shown the story.
  await expect.poll(() => page.title()).toContain(state)
  await expectWords(page)
}

/** Expects words of support, no overflow and no barriers. */
async function expectWords(page: Page): Promise<void> {
  const shown = await page.locator('body').innerText()
  expect(shown.replaceAll(ADDRESS, '')).not.toMatch(UNWANTED)
  expect(await findOverflow(page)).toBeLessThanOrEqual(0)
  expect(await findBarriers(page)).toEqual([])
}

/** Expects that the first action is visible without scrolling. */
async function expectAction(page: Page, name: string): Promise<void> {
  const action = page.locator('.situation .actions .primary').first()
  expect(await action.innerText()).toBe(name)
  const box = await action.boundingBox()
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(PHONE.height)
}

function heightOf(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollHeight')
}

async function shoot(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return
  for (const width of [390, 1280]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 844 })
      await page.emulateMedia({ colorScheme })
      const path = `${SCREENSHOTS}/ticket-${name}-${width}-${colorScheme}.png`
      await page.screenshot({ path, fullPage: true })
    }
  }
  await page.setViewportSize(PHONE)
  await page.emulateMedia({ colorScheme: 'light' })
}

describe('the other pages', () => {
  test('show the work, the sums and the books', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
    const { page, problems } = await openPage(`${shop.url}#/overview`, { viewport: PHONE })
    await page.getByText('Nothing needs you.').waitFor()
    addOrder(shop, 'order-1')
    await buyer.send([internal({ to: wallet, value: 4_000_000_000n, body: 'order-1' })])
    await chain.mine()
    await shop.look()
    await page.reload()
    await page.getByText('1 payment needs you').waitFor()
    // The sums are kept for a minute.
    const today = await page.getByRole('region', { name: 'Today' }).innerText()
    expect(today).toMatch(/4 TON|Up to one minute old/)
    await page.getByRole('button', { name: 'Compare now' }).click()
    await page.getByText('Compared on').waitFor()
    await page.getByText('agrees', { exact: true }).waitFor()
    await expectWords(page)
    await shoot(page, 'overview')
    expect(problems).toEqual([])
  })

  test('list orders by filter and by reference', async () => {
    const shop = await openDeskShop()
    for (const [number, status] of ['pending', 'completed', 'cancelled'].entries()) {
      addOrder(shop, `order-${number}`, { status, createdAt: new Date() })
    }
    addOrder(shop, 'dear', { rawAmount: 99_000_000_000n, createdAt: new Date() })
    const { page, problems } = await openPage(`${shop.url}#/orders`, { viewport: PHONE })
    const rows = page.locator('tbody tr')
    await expect.poll(() => rows.count()).toBe(4)
    await expectWords(page)
    await shoot(page, 'orders')
    await page.getByLabel('Amount').fill('99,00 TON')
    await page.getByRole('button', { name: 'Filter' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByLabel('Amount').fill('')
    await page.getByLabel('State').selectOption('Cancelled')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('link', { name: 'order-2' }).waitFor()
    await expect.poll(() => rows.count()).toBe(1)
    await page.getByRole('searchbox').fill('order-')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('link', { name: 'order-0' }).click()
    await page.getByText('Order order-0 asks for 10.5 TON.').waitFor()
    expect(problems).toEqual([])
  })

  test('ask for the rest of a partly paid order by link and QR code', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
    addOrder(shop, 'order-1')
    await buyer.send([internal({ to: wallet, value: 4_000_000_000n, body: 'order-1' })])
    await chain.mine()
    await shop.look()
    const { page, problems } = await openPage(`${shop.url}#/payment?reference=order-1`, {
      viewport: PHONE,
    })
    await page.getByRole('button', { name: 'Ask for the rest' }).click()
    await page.getByRole('img', { name: 'QR code of the rest' }).waitFor()
    await page.getByText('It asks for 6.5 TON.').waitFor()
    await expectWords(page)
    await shoot(page, 'rest')
    expect(problems).toEqual([])
  })

  test('send the surplus of a paid order back', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const amounts = { overpaid: 'accept' } as const
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet], amounts })
    shop.fixMail()
    addOrder(shop, 'order-1')
    await buyer.send([internal({ to: wallet, value: 12_000_000_000n, body: 'order-1' })])
    await chain.mine()
    await shop.look()
    const { page, problems } = await openPage(`${shop.url}#/payment?reference=order-1`, {
      viewport: PHONE,
    })
    await page.getByRole('button', { name: 'Send the surplus back' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Opens a refund of 1.5 TON').waitFor()
    await dialog.getByRole('button', { name: 'Send the surplus back' }).click()
    await page.getByRole('region', { name: 'Refund to sign' }).waitFor()
    await expectPage(page, 'order-1: refund open', /A refund of 1\.5 TON to .* is open/)
    await shoot(page, 'surplus')
    expect(problems).toEqual([])
  })
})

describe('a ticket of support is solved in three clicks after the search', () => {
  test('S133 accepts what arrived of a half-paid order', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-1')
    await shop.deliver({ reference: 'order-1', amount: '5.25', rawAmount: '5250000000' })
    const { page, click, confirm, clicks } = await search(shop, 'order-1')
    await click('link', 'order-1')
    await expectPage(
      page,
      'order-1: partly paid',
      /5\.25 TON of 10\.5 TON arrived.* 5\.25 TON is missing/,
    )
    await expectAction(page, 'Accept what arrived')
    await shoot(page, 'paid-half')
    await click('button', 'Accept what arrived')
    await confirm('Accept what arrived', 'the rest is a gift')
    await page.getByText('It was accepted. The order is paid.').waitFor()
    // The page reads the story again after it has shown the outcome.
    const accept = page.getByRole('button', { name: 'Accept what arrived' })
    await expect.poll(() => accept.count()).toBe(0)
    expect(await page.title()).toContain('order-1: ')
    expect(await page.getByText('Reason: the rest is a gift').count()).toBe(1)
    expect(await page.getByText('By ada@example.com').count()).toBeGreaterThan(0)
    await expect.poll(() => shop.shipped).toEqual(['order-1'])
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('S129 sends the second of two payments back by a link', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
    addOrder(shop, 'order-2')
    const payment = { to: wallet, value: 10_500_000_000n, body: 'order-2' }
    for (let count = 0; count < 2; count++) {
      await buyer.send([internal(payment)])
      await chain.mine()
    }
    shop.fixMail()
    await shop.look()
    const { page, click, confirm, clicks } = await search(shop, '10.5')
    await click('link', 'order-2')
    await expectPage(
      page,
      'order-2: paid twice',
      /10\.5 TON arrived from .* which was already paid/,
    )
    expect(await heightOf(page)).toBeLessThanOrEqual(MAX_HEIGHT)
    await expectAction(page, 'Send it back')
    await shoot(page, 'paid-twice')
    await click('button', 'Send it back')
    await confirm('Send it back', 'paid twice')
    const panel = page.getByRole('region', { name: 'Refund to sign' })
    await panel.waitFor()
    expect(await panel.innerText()).toContain(UNGUARDED)
    const link = await panel.getByRole('link', { name: 'Open the wallet' }).getAttribute('href')
    await page.getByRole('img', { name: 'QR code of the refund' }).waitFor()
    await page.getByText('ada@example.com opened the refund on').waitFor()
    await page.reload()
    expect(await panel.getByRole('link', { name: 'Open the wallet' }).getAttribute('href')).toBe(
      link,
    )
    await expectPage(page, 'order-2: refund open', /A refund of 10\.5 TON to .* is open/)
    expect(await heightOf(page)).toBeLessThanOrEqual(MAX_HEIGHT)
    await shoot(page, 'refund')
    expect(clicks()).toBeLessThanOrEqual(3)
    await merchant.pay(String(link))
    await chain.mine()
    // The page looks at the chain by itself.
    await page.getByText('refund arrived').first().waitFor()
    expect(await panel.count()).toBe(0)
    await page.getByRole('link', { name: '← Payments' }).click()
    await page.getByText('Export for the books').click()
    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    const csv = await text(await (await started).createReadStream())
    const rows = csv.split('\r\n').map((line) => line.split(',').slice(1, 10).join(' '))
    // Another row is the money with which the wallet was opened. All may be of one second, so their order is open.
    expect(rows.filter((row) => row.includes('order-2')).toSorted()).toEqual([
      'credit in 10.5 TON 10500000000 order-2  completed extra_payment',
      'credit in 10.5 TON 10500000000 order-2  completed paid',
      'refund out 10.5 TON 10500000000 order-2  refunded refund',
    ])
  })

  test('assigns a payment without a comment to the only order of its amount', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-3', { createdAt: new Date() })
    addOrder(shop, 'other', { rawAmount: 7n, createdAt: new Date() })
    const { data } = transferCompleted({ date: new Date().toISOString() })
    const transfer = { ...data, reference: '', commentToRecipient: undefined }
    await shop.payments.submit(createTransferReport(transfer, { source: 'chain' }))
    const { page, click, confirm, clicks } = await search(shop, '10.5')
    await click('link', 'no order')
    await expectPage(
      page,
      'Payment without an order: unknown order',
      /10\.5 TON arrived from .* without a comment/,
    )
    await expectAction(page, 'Assign to an order')
    await shoot(page, 'no-comment')
    await click('button', 'Assign to an order')
    await page.getByText('Open orders with this amount').waitFor()
    expect(await page.getByLabel('Order', { exact: true }).inputValue()).toBe('order-3')
    await shoot(page, 'assign')
    await confirm('Assign to an order')
    await page.getByText('It was assigned to order order-3. The order is paid.').waitFor()
    await page.getByText('and has paid order order-3').waitFor()
    expect(await page.getByRole('button', { name: 'Assign to an order' }).count()).toBe(0)
    await expect.poll(() => shop.shipped).toEqual(['order-3'])
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('sends a payment of a cancelled order back', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
    addOrder(shop, 'order-4', { status: 'cancelled' })
    await buyer.send([internal({ to: wallet, value: 10_500_000_000n, body: 'order-4' })])
    await chain.mine()
    await shop.look()
    const { page, click, confirm, clicks } = await search(shop, 'order-4')
    await click('link', 'order-4')
    await expectPage(
      page,
      'order-4: paid after cancelling',
      /10\.5 TON arrived .* had been cancelled/,
    )
    await expectAction(page, 'Send it back')
    await shoot(page, 'cancelled')
    await click('button', 'Send it back')
    await confirm('Send it back')
    await page.getByRole('link', { name: 'Open the wallet' }).waitFor()
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('accepts what arrived in the wrong coin', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-5', { rawAmount: 6_500_000_000n })
    const coin = { asset: USDT, assetTicker: 'USDT', amount: '13', rawAmount: '13000000' }
    await shop.deliver({ reference: 'order-5', ...coin })
    const { page, click, confirm, clicks } = await search(shop, transferCompleted().data.senderAddr)
    await click('link', 'order-5')
    await expectPage(page, 'order-5: wrong coin', /13 USDT arrived .* order-5 asks for 6\.5 TON/)
    await expectAction(page, 'Accept what arrived')
    await page.getByText('Not among your actions on this desk: send it back.').waitFor()
    await shoot(page, 'wrong-coin')
    await click('button', 'Accept what arrived')
    await confirm('Accept what arrived', 'worth more than the price')
    await page.getByText('It was accepted. The order is paid.').waitFor()
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('accepts what arrived of an order that was paid too much', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
    shop.fixMail()
    addOrder(shop, 'order-6')
    await buyer.send([internal({ to: wallet, value: 11_000_000_000n, body: 'order-6' })])
    await chain.mine()
    await shop.look()
    const { page, click, confirm, clicks } = await search(shop, '11 TON')
    await click('link', 'order-6')
    await expectPage(page, 'order-6: too much', /11 TON arrived .* order-6 asks for 10\.5 TON/)
    await expectAction(page, 'Accept what arrived')
    await shoot(page, 'too-much')
    await click('button', 'Accept what arrived')
    await confirm('Accept what arrived', 'a tip')
    await page.getByText('It was accepted. The order is paid.').waitFor()
    await expect.poll(() => shop.shipped).toEqual(['order-6'])
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('sends a payment to the wrong wallet of two back from the wallet that was paid', async () => {
    const clock = createFakeClock({ startMs: Date.now() })
    const { chain, buyer, merchant, urls } = await openChain(clock)
    const other = await chain.createWallet()
    await other.send([])
    const wallets = [merchant.address.toString(), other.address.toString()]
    const shop = await openDeskShop({ v3: urls.chain, wallets })
    addOrder(shop, 'order-7', { recipient: merchant.address.toString() })
    const to = other.address
    await buyer.send([internal({ to, value: 10_500_000_000n, body: 'order-7' })])
    await clock.advance(120_000)
    // The index has the time of its newest block.
    await chain.fund(new Address(0, Buffer.alloc(32, 1)), 1n)
    await chain.mine()
    await shop.look()
    const { page, click, confirm, clicks } = await search(shop, 'order-7')
    const row = page.locator('tbody tr').filter({ hasText: 'wrong wallet' })
    await row.waitFor()
    const listed = await row.innerText()
    await click('link', 'order-7')
    const sentence = /10\.5 TON for order order-7 was sent from .* to 0Q/
    await expectPage(page, 'order-7: wrong wallet', sentence)
    expect(listed).toContain(await page.locator('.happened').first().innerText())
    await expectAction(page, 'Send it back')
    await shoot(page, 'wrong-wallet')
    await click('button', 'Send it back')
    await confirm('Send it back', 'wrong wallet')
    await page.getByRole('link', { name: 'Open the wallet' }).waitFor()
    const signer = other.address.toString({ bounceable: false, testOnly: true })
    expect(await page.getByRole('region', { name: 'Refund to sign' }).innerText()).toContain(signer)
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('runs a task again that has failed for good', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-8')
    await shop.deliver({ reference: 'order-8' })
    await expect.poll(() => shop.shipped).toEqual(['order-8'])
    const { page, click, confirm, clicks } = await search(shop, 'order-8')
    await page.getByText('task failed').first().waitFor()
    await click('link', 'order-8')
    await expectPage(
      page,
      'order-8: task failed',
      /Order order-8 is paid\. The task onPaid\.mail of the shop has failed/,
    )
    await expectAction(page, 'Run the task again')
    await shoot(page, 'task-failed')
    shop.fixMail()
    await click('button', 'Run the task again')
    await confirm('Run the task again', 'the mail server is back')
    await page.getByText('1 task runs again within seconds.').waitFor()
    await expect.poll(() => page.title()).toContain('order-8: paid')
    expect(shop.shipped).toEqual(['order-8'])
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('says to wait while the proof is pending, and shows the order as paid after it', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const verifier = createPaymentVerifier({
      v3: createV3Client({ baseUrl: urls.chain, rps: 100 }),
    })
    let isDown = true
    const shop = await openDeskShop({
      v3: urls.chain,
      wallets: [wallet],
      verifyOnChain: {
        ...verifier,
        verify: (...given) =>
          isDown ? Promise.reject(new Error('the index is down')) : verifier.verify(...given),
      },
    })
    shop.fixMail()
    addOrder(shop, 'order-9')
    const payment = { to: wallet, value: 10_500_000_000n, body: 'order-9' }
    const { transaction } = await buyer.send([internal(payment)])
    await chain.mine()
    const txHash = transaction.hash().toString('hex')
    const { data } = transferCompleted({
      reference: 'order-9',
      senderAddr: buyer.address.toString(),
      recipientAddr: wallet,
      bodyBase64Hash: comment('order-9').hash().toString('base64'),
      date: new Date().toISOString(),
      txHash,
      traceId: txHash,
    })
    await shop.payments.submit(createTransferReport(data, { source: 'gateway' }))
    const { page, click, clicks } = await search(shop, txHash.slice(0, 8))
    await click('link', 'order-9')
    await expectPage(
      page,
      'order-9: waiting for proof',
      /10\.5 TON for order order-9 was announced\. The proof on the chain is pending: wait, and ship nothing yet/,
    )
    expect(await page.locator('.situation .actions').count()).toBe(0)
    await shoot(page, 'proof-pending')
    expect(shop.shipped).toEqual([])
    isDown = false
    await shop.look()
    await expect.poll(() => page.title()).toContain('order-9: paid')
    await expect.poll(() => shop.shipped).toEqual(['order-9'])
    expect(clicks()).toBeLessThanOrEqual(3)
  })

  test('shows the open refund to an operator who asks for a second one', async () => {
    const { chain, buyer, merchant, urls } = await openChain()
    const wallet = merchant.address.toString()
    const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet] })
    addOrder(shop, 'order-10', { status: 'cancelled' })
    await buyer.send([internal({ to: wallet, value: 10_500_000_000n, body: 'order-10' })])
    await chain.mine()
    await shop.look()
    const ada = await search(shop, 'order-10')
    await ada.click('link', 'order-10')
    await expectAction(ada.page, 'Send it back')
    shop.signIn('bob@example.com')
    const bob = await search(shop, 'order-10')
    await bob.click('link', 'order-10')
    // His dialog is open when her refund is: until he confirms, his page does not read the story again.
    await bob.click('button', 'Send it back')
    const confirmed = deferred()
    await bob.page.route(/api\/payment\?/, async (route) => {
      await confirmed.promise
      await route.continue()
    })
    shop.signIn('ada@example.com')
    await ada.click('button', 'Send it back')
    await ada.confirm('Send it back')
    const panel = { name: 'Refund to sign' } as const
    await ada.page.getByRole('region', panel).waitFor()
    shop.signIn('bob@example.com')
    await bob.confirm('Send it back')
    confirmed.resolve()
    await bob.page
      .locator('.notice[data-tone=bad]')
      .getByText('No refund was opened: a refund of it is open')
      .waitFor()
    await bob.page.getByText('ada@example.com opened the refund on').waitFor()
    const link = (page: Page) => page.getByRole('link', { name: 'Open the wallet' })
    expect(await link(bob.page).getAttribute('href')).toBe(
      await link(ada.page).getAttribute('href'),
    )
    await expectPage(bob.page, 'order-10: refund open', /A refund of 10\.5 TON to .* is open/)
    expect(await bob.page.getByRole('button', { name: 'Send it back' }).count()).toBe(0)
    await shoot(bob.page, 'second-refund')
    expect(bob.clicks()).toBeLessThanOrEqual(3)
  })
})
