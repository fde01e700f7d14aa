import decodeQR from 'qr/decode.js'
import { toUnits } from '@tonplug/core'
import { postgresOrderRepository } from '@tonplug/postgres'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { PaymentRequest } from '@tonplug/simulator'
import { freePort } from '@tonplug/test-support/free-port'
import { nightSize } from '@tonplug/test-support/night-size'
import {
  findBarriers,
  findOverflow,
  openPage,
  type WatchedPage,
} from '@tonplug/test-support/watched-page'
import { readTexts, type Language } from '../../src/texts.js'
import { openShop, servers, type ShopHarness } from '../harness.js'

const SCREENSHOTS = process.env['SCREENSHOTS']
const WIDTHS = { phone: 390, desktop: 1280 }
/** Pixels of a side of the QR code. */
const SIZE = 300

function openShopPage(
  { url }: ShopHarness,
  width: number,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  return openPage(url, { viewport: { width, height: 850 }, ...options })
}

/** Creates an order and chooses a coin. Returns the link of its offer. */
async function choose(page: Page, coin: string): Promise<string> {
  await page.locator('#continue').click()
  await page.getByRole('radio', { name: coin }).check()
  await expect.poll(() => page.locator('#amount').textContent()).toContain(coin)
  return linkOf(page)
}

/** Returns the link that the page offers. */
async function linkOf(page: Page): Promise<string> {
  return (await page.locator('#link').getAttribute('href')) ?? ''
}

/** Waits for a state of the page. */
async function waitForState(page: Page, state: string): Promise<void> {
  await page.locator(`#status[data-status="${state}"]`).waitFor()
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

describe.each(names)('a payment on %s', (server) => {
  let shop: ShopHarness
  beforeAll(async () => {
    shop = await openShop(server)
  })
  afterAll(() => shop.close())

  test.each([
    ['S89', 'TON', 'phone'],
    ['S90', 'USD₮', 'desktop'],
  ] as const)('pays %s in %s with the test wallet on a %s', async (_, coin, device) => {
    const { page, problems } = await openShopPage(shop, WIDTHS[device])
    const link = await choose(page, coin)
    expect(link).toMatch(/^ton:\/\/transfer\/0Q/)
    expect(await scan(page)).toBe(link)
    expect(await page.getByRole('timer').textContent()).toMatch(/^1[45]:\d\d$/)
    expect(await findOverflow(page)).toBe(0)

    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()

    await page.getByRole('region', { name: 'Receipt' }).waitFor()
    expect(await page.title()).toContain('Paid')
    expect(await page.locator('#receipt-amount').textContent()).toContain(coin)
    expect(await page.locator('#link').isVisible()).toBe(false)
    const hash = await page.locator('#receipt-hash').textContent()
    const transaction = page.getByRole('link', { name: 'View transaction' })
    expect(await transaction.getAttribute('href')).toBe(shop.settings.explorer + hash)
    const opening = page.context().waitForEvent('page')
    await transaction.click()
    await (await opening).getByText('"transactions"').waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Receipt' }).waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('link').count()).toBe(0)
    expect(await page.locator('#receipt').isVisible()).toBe(true)
    if (SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${SCREENSHOTS}/print-${device}.png` })
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    expect(problems).toEqual([])
  })
})

// All servers send the same page. Their responses have tests without a browser.
describe.each(nightSize(names.slice(0, 1), names))('the checkout on %s', (server) => {
  let shop: ShopHarness
  beforeAll(async () => {
    shop = await openShop(server)
  })
  afterAll(() => shop.close())

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
      expect(await findOverflow(page)).toBe(0)
      expect(await page.locator('#link').isVisible()).toBe(false)

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

    await page.getByRole('button', { name: 'Connect a wallet' }).click()

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
    expect(await findOverflow(page)).toBe(0)
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
    await waitForState(page, 'requested')
    await page.reload()
    await waitForState(page, 'requested')
    for (const id of ['#pay', '#ton-connect', '#link', '#qr']) {
      expect(await page.locator(id).isVisible()).toBe(false)
    }
  })

  test('S151 offers no new order while the request of an expired one may be paid', async () => {
    const { page } = await openShopPage(shop, WIDTHS.desktop)
    await page.route('**/test-wallet/payments', () => undefined)
    await choose(page, 'TON')
    const reference = (await page.locator('#reference').textContent()) ?? ''
    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()
    await waitForState(page, 'requested')
    await postgresOrderRepository(shop.settings.db).expire({ reference })
    await waitForState(page, 'expired')
    await page.getByText('you can start again here in a minute or two').waitFor()
    expect(await page.locator('#again').isVisible()).toBe(false)

    // As if the request had ended two minutes ago.
    await page.evaluate(endRequests, Date.now() / 1000 - 120)
    await page.reload()
    await page.locator('#again').click()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })

  test('offers to pay again when the wallet declines', async () => {
    const { page } = await openShopPage(shop, WIDTHS.phone)
    await page.addInitScript(installWallet, shop.buyer.address.toRawString())
    await page.route(/^https:/, (route) => route.abort())
    await page.exposeFunction('payRequest', () => ({ code: 300, message: 'declined' }))
    await page.reload()
    await choose(page, 'TON')
    await page.getByRole('button', { name: 'Connect a wallet' }).click()
    await page.getByRole('alert').getByText('You declined').waitFor()
    await waitForState(page, 'waiting')
    expect(await page.locator('#qr').isVisible()).toBe(true)
  })

  test('asks for the rest of a partial payment, by link and QR code', async () => {
    const { page, problems } = await openShopPage(shop, WIDTHS.phone)
    const link = await choose(page, 'USD₮')
    await page.getByRole('button', { name: 'Pay only half' }).click()
    await page.getByText('Left to pay').waitFor()
    expect(await page.locator('#amount').textContent()).toBe('0.375 USD₮')
    const rest = await linkOf(page)
    expect(rest).toBe(link.replace('amount=750000&', 'amount=375000&'))
    expect(await scan(page)).toBe(rest)
    // The request for the whole price must not be sent again.
    expect(await page.getByRole('button', { name: 'Connect a wallet' }).count()).toBe(0)

    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()

    await waitForState(page, 'paid')
    await expect.poll(() => page.locator('#receipt-amount').textContent()).toBe('0.75 USD₮')
    expect(problems).toEqual([])
  })

  test('S156 keeps the order and its coin after a reload and a restart of the server', async () => {
    // The server is restarted on its port, which no other one may have by then.
    await shop.restart(await freePort())
    const { page } = await openShopPage(shop, WIDTHS.desktop)
    await choose(page, 'USD₮')
    const reference = await page.locator('#reference').textContent()
    await page.reload()
    await waitForState(page, 'waiting')
    expect(await page.locator('#reference').textContent()).toBe(reference)
    expect(await page.locator('#amount').textContent()).toBe('0.75 USD₮')

    const interrupted = page.getByText('The shop does not respond').waitFor()
    await shop.restart(Number(new URL(shop.url).port))
    await interrupted
    await expect.poll(() => page.locator('#connection').textContent()).toBe('')

    await page.getByRole('button', { name: 'Pay with the test wallet' }).click()
    await waitForState(page, 'paid')
  })

  test('is paid with the keyboard alone', async () => {
    const { page, problems } = await openShopPage(shop, WIDTHS.desktop)
    const focused = () => page.evaluate('document.activeElement.id')
    const tabTo = async (id: string): Promise<void> => {
      for (let steps = 0; (await focused()) !== id && steps < 12; steps++) {
        await page.keyboard.press('Tab')
      }
      expect(await focused()).toBe(id)
    }
    await tabTo('continue')
    await page.keyboard.press('Enter')
    await waitForState(page, 'waiting')
    expect(await focused()).toBe('payment')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowDown')
    expect(await page.locator('#amount').textContent()).toBe('0.75 USD₮')
    await tabTo('pay')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Receipt' }).waitFor()
    await tabTo('back')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    expect(problems).toEqual([])
  })

  test('states each problem with a next step', async () => {
    const { page } = await openShopPage(shop, WIDTHS.phone)
    const alert = page.getByRole('alert')
    await page.route('**/orders', (route) => route.fulfill({ status: 500 }))
    await page.locator('#continue').click()
    await alert.getByText('Try again in a minute').waitFor()
    await page.unroute('**/orders')
    await page.route('**/orders', (route) => route.abort())
    await page.locator('#continue').click()
    await alert.getByText('Check your connection, then try again').waitFor()
    await page.unroute('**/orders')
    await choose(page, 'TON')
    expect(await alert.textContent()).toBe('')

    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    await page.context().setOffline(false)
    await expect.poll(() => page.locator('#connection').textContent()).toBe('')

    await page.route(/orders\/\w+$/, (route) => route.fulfill({ status: 404 }))
    await page.reload()
    await alert.getByText('The shop does not know this order any more').waitFor()
    await page.getByRole('button', { name: 'Continue' }).waitFor()
  })
})

/** A size, a color and a language in which each state is looked at. */
type Look = [keyof typeof WIDTHS, 'light' | 'dark', Language]
const LOOKS: Look[] = [
  ['phone', 'dark', 'ar'],
  ['desktop', 'light', 'en'],
]
const MORE_LOOKS: Look[] = [
  ['phone', 'light', 'en'],
  ['desktop', 'dark', 'en'],
  ['desktop', 'light', 'ar'],
]

const looks = nightSize(LOOKS, [...LOOKS, ...MORE_LOOKS])

describe.each(looks)('the states of the page (%s, %s, %s)', (device, colorScheme, locale) => {
  let shop: ShopHarness
  beforeAll(async () => {
    shop = await openShop('Express')
  })
  afterAll(() => shop.close())

  const open = () => openShopPage(shop, WIDTHS[device], { colorScheme, locale })

  /** Checks that the page fits, has no barriers and is in its language. */
  const look = async (page: Page, state: string, name = state): Promise<void> => {
    if (state !== 'start') await waitForState(page, state)
    const found = {
      state,
      overflow: await findOverflow(page),
      barriers: await findBarriers(page),
    }
    expect(found).toEqual({ state, overflow: 0, barriers: [] })
    if (SCREENSHOTS === undefined) return
    await page.evaluate('document.activeElement.blur(), scrollTo(0, 0)')
    const path = `${SCREENSHOTS}/checkout-${name}-${device}-${colorScheme}-${locale}.png`
    await page.screenshot({ path, fullPage: true })
  }

  test('fit while the buyer pays in two parts', async () => {
    const { page, problems } = await open()
    await look(page, 'start')
    await choose(page, 'TON')
    await page.locator('summary').click()
    await look(page, 'waiting')
    await page.locator('summary').click()
    await page.locator('#pay-half').click()
    await look(page, 'rest')
    await page.locator('#pay').click()
    await page.locator('#receipt').waitFor()
    await look(page, 'paid')
    expect(problems).toEqual([])
  })

  test('fit while the wallet does not respond, and when the time to pay is over then', async () => {
    const { page, problems } = await open()
    await page.clock.install()
    await page.route('**/test-wallet/payments', () => undefined)
    await choose(page, 'TON')
    await page.locator('#pay').click()
    await look(page, 'requested')
    await page.clock.fastForward('15:01')
    await look(page, 'expired', 'request-open')
    expect(problems).toEqual([])
  })

  test('fit while a payment is checked', async () => {
    const { v3Server, streamServer } = shop.simulator
    const { page, problems } = await open()
    await choose(page, 'USD₮')
    v3Server.lagBlocks = 1000
    streamServer.finality = 'pending'
    await page.locator('#pay').click()
    await look(page, 'detected')
    v3Server.lagBlocks = 0
    streamServer.finality = 'finalized'
    await streamServer.finalize()
    await waitForState(page, 'paid')
    expect(problems).toEqual([])
  })

  test('fit when the time to pay is over, with and without a part', async () => {
    const { page, problems } = await open()
    await page.clock.install()
    await choose(page, 'TON')
    await page.clock.fastForward('15:01')
    await look(page, 'expired')
    await page.locator('#again').click()
    await choose(page, 'TON')
    await page.locator('#pay-half').click()
    await waitForState(page, 'rest')
    await page.clock.fastForward('15:01')
    await look(page, 'part_over')
    expect(problems).toEqual([])
  })

  test('fit when the shop has cancelled the order, and the buyer pays it', async () => {
    const { page, problems } = await open()
    const link = await choose(page, 'TON')
    const reference = (await page.locator('#reference').textContent()) ?? ''
    expect(await postgresOrderRepository(shop.settings.db).cancel(reference)).toBe(true)
    await look(page, 'cancelled')
    await shop.buyer.pay(link)
    await look(page, 'needs_shop')
    const { statuses } = readTexts(locale) as { statuses: Record<string, { title: string }> }
    expect(await page.locator('#status-title').textContent()).toBe(statuses['needs_shop']?.title)
    expect(await page.locator('#contact').isVisible()).toBe(true)
    expect(problems).toEqual([])
  })

  test('fit when the buyer pays too much', async () => {
    const { page, problems } = await open()
    const link = await choose(page, 'TON')
    await shop.buyer.pay(link.replace('amount=250000000&', 'amount=260000000&'))
    await waitForState(page, 'paid')
    await expect.poll(() => page.locator('#note').textContent()).toMatch(/TON/)
    expect(await page.locator('#contact').isVisible()).toBe(true)
    await look(page, 'paid', 'surplus')
    expect(problems).toEqual([])
  })
})

describe('the pictures of the docs', () => {
  test.runIf(SCREENSHOTS !== undefined)('take the checkout as it is', async () => {
    const shop = await openShop('Express')
    onTestFinished(() => shop.close())
    const { v3Server, streamServer } = shop.simulator
    const { page, problems } = await openShopPage(shop, 1120)
    await choose(page, 'TON')
    await page.evaluate('document.activeElement.blur()')
    await page.screenshot({ path: `${SCREENSHOTS}/checkout.png`, fullPage: true })
    const shoot = async (state: string): Promise<void> => {
      await waitForState(page, state)
      await page.evaluate("document.querySelector('#test-wallet').hidden = true")
      await page.evaluate('document.activeElement.blur()')
      const path = `${SCREENSHOTS}/checkout-${state}.png`
      await page.locator('main').screenshot({ path })
    }
    await page.setViewportSize({ width: 440, height: 850 })
    const link = await linkOf(page)
    await shoot('waiting')
    v3Server.lagBlocks = 1000
    streamServer.finality = 'pending'
    await shop.buyer.pay(link)
    await shoot('detected')
    v3Server.lagBlocks = 0
    streamServer.finality = 'finalized'
    await streamServer.finalize()
    await page.locator('#receipt').waitFor()
    await shoot('paid')
    expect(problems).toEqual([])
  })
})

/** Changes the end of the requests of this browser, Unix seconds. Runs in the page. */
function endRequests(validUntil: number): void {
  for (const key of Object.keys(localStorage)) {
    const mark: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    localStorage.setItem(key, JSON.stringify({ ...Object(mark), validUntil }))
  }
}

/** Adds a wallet to the page, as the browser of a wallet app does. Runs in the page. */
function installWallet(address: string): void {
  // New wallets declare items, which version 2 of TON Connect UI refuses.
  const features = [{ name: 'SendTransaction', maxMessages: 4, itemTypes: ['ton', 'jetton'] }]
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
      const error: unknown = await Reflect.get(globalThis, 'payRequest')(request)
      if (error) return { id, error }
      return { id, result: 'te6cckEBAQEAAgAAAEysuc0=' }
    },
  }
  Reflect.set(globalThis, 'tonkeeper', { tonconnect })
}
