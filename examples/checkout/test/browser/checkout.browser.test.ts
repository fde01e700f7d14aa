import decodeQR from 'qr/decode.js'
import { toUnits } from '@tonplug/core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PaymentRequest } from '@tonplug/simulator'
import { openPage, type WatchedPage } from '@tonplug/test-support/watched-page'
import { openShop, servers, type ShopHarness } from '../harness.js'

const WIDTHS = { phone: 390, desktop: 1280 }
/** Pixels of a side of the QR code. */
const SIZE = 300

function openShopPage({ url }: ShopHarness, width: number): Promise<WatchedPage> {
  return openPage(url, { viewport: { width, height: 850 } })
}

/** Chooses a coin and continues to the payment. Returns the link of the invoice. */
async function choose(page: Page, coin: string): Promise<string> {
  await page.getByLabel(coin).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Waiting for your payment').waitFor()
  return (await page.getByRole('link', { name: 'Open wallet app' }).getAttribute('href')) ?? ''
}

/** Reads the QR code from the pixels that the page shows. */
async function scan(page: Page): Promise<string> {
  const pixels = await page.evaluate(readPixels, SIZE)
  const data = Uint8Array.from(pixels, (pixel) => (pixel === ' ' ? 255 : 0))
  const image = new Uint8Array(SIZE * SIZE * 4).map((_, index) => data[index >> 2] ?? 0)
  return decodeQR({ width: SIZE, height: SIZE, data: image })
}

/** Returns a character for each pixel: a space for a light one. Runs in the page. */
async function readPixels(size: number): Promise<string> {
  const svg = new XMLSerializer().serializeToString(document.querySelector('#qr svg')!)
  const picture = new Image(size, size)
  picture.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
  await picture.decode()
  const context = new OffscreenCanvas(size, size).getContext('2d')!
  context.fillStyle = getComputedStyle(document.querySelector('#qr')!).backgroundColor
  context.fillRect(0, 0, size, size)
  context.drawImage(picture, 0, 0, size, size)
  const { data } = context.getImageData(0, 0, size, size)
  return data.reduce((text, value, index) => {
    return index % 4 > 0 ? text : text + (value > 127 ? ' ' : '#')
  }, '')
}

// Object.keys returns strings.
const names = Object.keys(servers) as (keyof typeof servers)[]

describe.each(names)('the checkout on %s', (server) => {
  let shop: ShopHarness
  beforeAll(async () => {
    shop = await openShop(server)
  })
  afterAll(() => shop.close())

  test.each([
    ['S89', 'TON', 'phone'],
    ['S90', 'USD₮', 'desktop'],
  ] as const)('%s is paid in %s by the test wallet on a %s', async (_, coin, device) => {
    const { page, problems } = await openShopPage(shop, WIDTHS[device])
    const link = await choose(page, coin)
    expect(link).toMatch(/^ton:\/\/transfer\/0Q/)
    expect(await scan(page)).toBe(link)
    expect(await page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)

    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()

    await page.getByRole('status').getByText('Paid').waitFor()
    expect(await page.getByRole('link').count()).toBe(0)
    expect(await page.title()).toContain('Paid')
    expect(problems).toEqual([])
  })

  test.each([
    ['TON', 'phone'],
    ['USD₮', 'desktop'],
  ] as const)(
    'S105 shows a payment in %s as seen before it is final, on a %s',
    async (coin, device) => {
      const { v3Server, streamServer } = shop.simulator
      const { page, problems } = await openShopPage(shop, WIDTHS[device])
      await choose(page, coin)
      v3Server.lagBlocks = 1000
      streamServer.finality = 'pending'

      await page.getByRole('button', { name: 'Pay with the test wallet' }).click()

      await page.getByRole('status').getByText('We have seen your payment').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
      expect(await page.getByRole('link').count()).toBe(0)

      v3Server.lagBlocks = 0
      streamServer.finality = 'finalized'
      await streamServer.finalize()
      await page.getByRole('status').getByText('Paid').waitFor()
      expect(problems).toEqual([])
    },
  )

  test('is paid by a wallet that is connected through TON Connect', async () => {
    const { page } = await openShopPage(shop, WIDTHS.desktop)
    await page.route(/^https:/, (route) => route.abort())
    await page.exposeFunction('payRequest', async (request: string) => {
      const { messages, from } = JSON.parse(request) as PaymentRequest
      expect(from).toBe(shop.buyer.address.toRawString())
      await shop.buyer.pay({ messages, from })
    })
    await page.addInitScript(installWallet, shop.buyer.address.toRawString())
    await page.reload()
    await choose(page, 'USD₮')

    await page.getByRole('button', { name: 'TON Connect' }).click()

    await page.getByRole('status').getByText('Paid').waitFor()
  })

  test('S155 is paid by the address, amount and comment that the page copies', async () => {
    const { page, problems } = await openShopPage(shop, WIDTHS.phone)
    await choose(page, 'TON')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('Pay from a desktop wallet or an exchange').click()
    const copied: string[] = []
    for (const name of ['Copy address', 'Copy amount', 'Copy comment']) {
      await page.getByRole('button', { name }).click()
      copied.push(await page.evaluate('navigator.clipboard.readText()'))
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0)
    const [address, amount = '', text] = copied
    expect(amount).toBe('0.25')

    await shop.buyer.pay(`ton://transfer/${address}?amount=${toUnits(amount, 9)}&text=${text}`)

    await page.getByRole('status').getByText('Paid').waitFor()
    expect(problems).toEqual([])
  })

  test('S151 offers no second request while the wallet does not respond', async () => {
    const { page } = await openShopPage(shop, WIDTHS.desktop)
    await page.route('**/test-wallet/payments', () => undefined)
    await choose(page, 'TON')
    const handedOver = page.waitForRequest('**/test-wallet/payments')
    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()
    await handedOver
    await page.reload()
    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()
    const refusal = page.getByRole('alert').getByText('may still arrive')
    await refusal.waitFor()
    expect(await refusal.count()).toBe(1)
  })

  test('shows a wrong amount, and what happens after the time to pay', async () => {
    const { page, problems } = await openShopPage(shop, WIDTHS.phone)
    await choose(page, 'TON')
    await page.getByRole('button', { name: 'Pay only half' }).click()
    await page.getByRole('status').getByText('A part of the price has arrived').waitFor()

    const other = await openShopPage(shop, WIDTHS.phone)
    await other.page.clock.install()
    await choose(other.page, 'TON')
    await other.page.clock.fastForward('15:01')
    await other.page.getByRole('status').getByText('The time to pay is over').waitFor()
    expect(await other.page.getByRole('link').count()).toBe(0)
    await other.page.getByRole('button', { name: 'Choose again' }).click()
    await other.page.getByRole('button', { name: 'Continue' }).waitFor()
    expect([...problems, ...other.problems]).toEqual([])
  })

  test('works with the keyboard, and survives a reload and a restart of the server', async () => {
    const { page } = await openShopPage(shop, WIDTHS.desktop)
    await page.getByRole('button', { name: 'Continue', disabled: false }).waitFor()
    for (const key of ['Tab', 'ArrowDown', 'Tab', 'Enter']) await page.keyboard.press(key)
    await page.getByText('Waiting for your payment').waitFor()
    expect(await page.locator('#amount').textContent()).toBe('0.75 USD₮')
    const reference = await page.locator('#reference').textContent()
    await page.reload()
    await page.getByText('Waiting for your payment').waitFor()
    expect(await page.locator('#reference').textContent()).toBe(reference)

    const interrupted = page.getByText('Connecting to the shop').waitFor()
    await shop.restart(Number(new URL(shop.url).port))
    await interrupted
    await page.getByText('Waiting for your payment').waitFor()
    for (const key of ['Tab', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)

    await page.getByRole('status').getByText('Paid').waitFor()
  })
})

/** Adds a wallet to the page, as the browser of a wallet app does. Runs in the page. */
function installWallet(address: string): void {
  const features = [{ name: 'SendTransaction', maxMessages: 4 }]
  const deviceInfo = {
    platform: 'linux',
    appName: 'Tonkeeper',
    appVersion: '1',
    maxProtocolVersion: 2,
    features,
  }
  const account = { name: 'ton_addr', address, network: '-3', publicKey: '00', walletStateInit: '' }
  const connect = () =>
    Promise.resolve({ event: 'connect', id: 1, payload: { items: [account], device: deviceInfo } })
  const tonconnect = {
    deviceInfo,
    protocolVersion: 2,
    isWalletBrowser: true,
    connect,
    restoreConnection: connect,
    listen: () => () => undefined,
    async send({ id, params: [request] }: { id: string; params: string[] }) {
      await Reflect.get(globalThis, 'payRequest')(request)
      return { id, result: 'te6cckEBAQEAAgAAAEysuc0=' }
    },
  }
  Reflect.set(globalThis, 'tonkeeper', { tonconnect })
}
