import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PaymentRequest } from '@tonplug/simulator'
import { findBarriers, findOverflow, openPage } from '@tonplug/test-support/watched-page'
import { startShop, type TestShop } from '../harness.js'

const USER = 1001
const PHONE = { viewport: { width: 390, height: 700 } }

let shop: TestShop
beforeAll(async () => {
  shop = await startShop()
})
afterAll(async () => {
  await shop.stop()
})

test('is paid in the Mini App by a wallet that is connected through TON Connect', async () => {
  const { reference, message } = await shop.buy(USER)
  const address = shop.buyer.address.toRawString()
  const { page } = await openPage('about:blank', PHONE)
  await page.route(/^https:/, (route) => route.abort())
  await page.exposeFunction('payRequest', async (request: string) => {
    const { messages, from } = JSON.parse(request) as PaymentRequest
    const { inMessage } = await shop.buyer.pay({ messages, from })
    return inMessage!.toBoc().toString('base64')
  })
  await page.addInitScript(installWallet, address)
  await page.goto(shop.telegram.open(USER, message))
  await page.getByRole('status').getByText('Waiting for your payment').waitFor()
  expect(await page.locator('#amount').textContent()).toBe('0.25 TON')
  expect(await page.getByRole('link').count()).toBe(1)
  expect(await findBarriers(page)).toEqual([])
  expect(await findOverflow(page)).toBe(0)
  const reported = page.waitForRequest(`**/orders/${reference}/sent`)

  await page.getByRole('button', { name: 'Pay with a wallet' }).click()

  await reported
  await page.getByRole('status').getByText('Paid. Thank you!').waitFor()
  // TON Connect closes its window by itself.
  await expect.poll(() => page.getByRole('button').count()).toBe(0)
  await expect.poll(() => message.text).toContain('paid')
})

test('asks to open the page again when its data are not valid', async () => {
  const { message } = await shop.buy(USER)
  const { page } = await openPage('about:blank', PHONE)
  await page.route(/^https:/, (route) => route.abort())
  await page.goto(message.button ?? '')
  await page.getByRole('alert').getByText('Please open this page again from the chat.').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
})

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
      return { id, result: await Reflect.get(globalThis, 'payRequest')(request) }
    },
  }
  Reflect.set(globalThis, 'tonkeeper', { tonconnect })
}
