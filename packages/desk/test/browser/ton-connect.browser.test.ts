import { comment } from '@ton/core'
import { openPage } from '@tonplug/test-support/watched-page'
import { describe, expect, test } from 'vitest'
import { addOrder, openChain, openDeskShop } from './desk-shop.js'
import { openBridge } from './wallet-bridge.js'

const VIEWPORT = { width: 390, height: 844 }

/** A shop whose order was cancelled before it was paid in USDT. */
async function openPaidShop(bridge?: { url: string }) {
  const { chain, buyer, merchant, usdt, urls } = await openChain()
  const manifestUrl = 'https://shop.example/tonconnect-manifest.json'
  const shop = await openDeskShop({
    v3: urls.chain,
    wallets: [merchant.address.toString()],
    ...(bridge && { tonConnect: { manifestUrl, bridges: [bridge.url] } }),
  })
  const asset = usdt.master.toString()
  addOrder(shop, 'order-1', { status: 'cancelled', rawAmount: 5_000_000n, asset })
  await buyer.send([
    usdt.transferMessage({
      from: buyer.address,
      to: merchant.address,
      response: buyer.address,
      amount: 5_000_000n,
      forwardCoins: 1n,
      forwardPayload: comment('order-1'),
    }),
  ])
  await chain.mine()
  await shop.look()
  const open = () => openPage(`${shop.url}#/payment?reference=order-1`, { viewport: VIEWPORT })
  const opened = await open()
  const { page } = opened
  await page.getByRole('button', { name: 'Send it back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send it back' }).click()
  await page.getByRole('region', { name: 'Refund to sign' }).waitFor()
  const link = async (on = page): Promise<string> => {
    await on.getByRole('button', SIGN).click()
    await on.getByRole('img', { name: 'QR code that connects the wallet' }).waitFor()
    const found = on.getByRole('link', { name: 'Open the wallet' })
    return String(await found.getAttribute('href'))
  }
  return { ...opened, chain, buyer, merchant, usdt, link, shop, open }
}

const SIGN = { name: 'Sign with a wallet' }

describe('the refund of a jetton', () => {
  test('is signed in the page with TON Connect, and followed until it is on the chain', async () => {
    const bridge = await openBridge()
    const { page, problems, chain, buyer, merchant, usdt, link } = await openPaidShop(bridge)
    const before = await usdt.balanceOf(buyer.address)
    const connect = await link()
    expect(connect).toMatch(/^tc:\/\/\?v=2&id=[0-9a-f]{64}&/)
    bridge.scan(connect, merchant)
    await page.getByText('The wallet has sent the refund.').waitFor()
    expect(bridge.requests).toHaveLength(1)
    await chain.mine()
    await page.getByText('refund arrived').first().waitFor()
    expect(await usdt.balanceOf(buyer.address)).toBe(before + 5_000_000n)
    const other = problems.filter(
      (problem) => !problem.startsWith(`unexpected request to ${bridge.url}`),
    )
    expect(other.filter((problem) => !problem.startsWith('validUntil'))).toEqual([])
  })

  test('is not sent by another wallet, and can be declined', async () => {
    const bridge = await openBridge()
    const { page, buyer, merchant, link } = await openPaidShop(bridge)
    bridge.scan(await link(), buyer)
    await page.getByText('Nothing was signed. The wallet has another address: 0Q').waitFor()
    expect(bridge.requests).toEqual([])
    bridge.scan(await link(), merchant, 'decline')
    await page.getByText('Nothing was signed. It was declined in the wallet.').waitFor()
    expect(bridge.requests).toHaveLength(1)
    await page.getByRole('button', SIGN).waitFor()
    bridge.scan(await link(), merchant, 'bad request')
    await page.getByText('Nothing was signed. The wallet refused it: ').waitFor()
    expect(bridge.requests).toHaveLength(2)
    await page.getByRole('button', SIGN).waitFor()
  })

  test('is signed by one of two operators', async () => {
    const bridge = await openBridge()
    const { page: ann, chain, buyer, merchant, usdt, link, shop, open } = await openPaidShop(bridge)
    const before = await usdt.balanceOf(buyer.address)
    shop.signIn('bob@example.com')
    const { page: bob } = await open()
    shop.signIn('ada@example.com')
    const [first, second] = [await link(ann), await link(bob)]
    bridge.scan(first, merchant)
    await ann.getByText('The wallet has sent the refund.').waitFor()
    bridge.scan(second, merchant)
    await bob.getByText('ada@example.com has been signing since').waitFor()
    expect(await bob.getByRole('button', SIGN).count()).toBe(0)
    await chain.mine()
    await ann.getByText('refund arrived').first().waitFor()
    expect(bridge.requests).toHaveLength(1)
    expect(await usdt.balanceOf(buyer.address)).toBe(before + 5_000_000n)
  })

  test('is not signed again while a wallet may have sent it, after a reload either', async () => {
    const bridge = await openBridge()
    const { page, merchant, link } = await openPaidShop(bridge)
    bridge.scan(await link(), merchant, 'unknown')
    await page.getByText('The wallet has the refund, and may have sent it.').waitFor()
    const next = page.getByText('If nothing has arrived five minutes after')
    await next.waitFor()
    expect(await page.getByRole('button', SIGN).count()).toBe(0)
    await page.reload()
    await page.getByText('ada@example.com has been signing since').waitFor()
    expect(await next.count()).toBe(1)
    expect(await page.getByRole('button', SIGN).count()).toBe(0)
    expect(bridge.requests).toHaveLength(1)
  })

  test('is shown where the browser refuses its storage', async () => {
    const { open } = await openPaidShop(await openBridge())
    const { page } = await open()
    await page.addInitScript(() => {
      const get = (): never => {
        throw new DOMException('denied', 'SecurityError')
      }
      Object.defineProperty(globalThis, 'sessionStorage', { get })
      Object.defineProperty(globalThis, 'localStorage', { get })
    })
    await page.reload()
    await page.getByRole('button', SIGN).waitFor()
    expect(await page.getByRole('region', { name: 'Refund to sign' }).count()).toBe(1)
  })

  test('is copied where the shop has no TON Connect, and the page says why', async () => {
    const { page, problems, shop } = await openPaidShop()
    await page
      .getByText('This coin is a jetton: wallets do not open its refund by a link')
      .waitFor()
    expect(await page.getByRole('button', SIGN).count()).toBe(0)
    const { headers } = await fetch(shop.url)
    expect(headers.get('content-security-policy')).toMatch(/connect-src 'self'$/)
    await page.getByText('Request of TON Connect').click()
    await page.getByText('The desk cannot stop a second signature').waitFor()
    await page.getByRole('button', { name: 'Copy' }).first().waitFor()
    expect(problems).toEqual([])
  })
})
