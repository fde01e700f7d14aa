import {
  createWalletRequests,
  type ConnectedWallet,
  type WalletRequest,
  type WalletRequestsOptions,
} from '@tonplug/core/checkout'
import { createInvoice } from '@tonplug/core'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { sharedLocks, sharedStorage } from './browser.js'

const NOW = Date.UTC(2026, 10, 27) / 1000
const WALLET = 'UQCdqXGvONLwOr3zCNX5FjapflorB6ZsOdcdfLrjsDLt3AF4'
const MASTER = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const feature = { name: 'SendTransaction', maxMessages: 255 }
const withItems: ConnectedWallet = { features: [{ ...feature, itemTypes: ['ton', 'jetton'] }] }
const onlyMessages: ConnectedWallet = { address: WALLET, features: ['SendTransaction', feature] }

/** Opens the page of an order of a jetton in a tab. The browser's clock is an hour behind. */
async function openTabs(changes: Partial<WalletRequestsOptions> = {}, expiresInSeconds = 900) {
  const server = createFakeClock({ startMs: NOW * 1000 })
  const invoice = await createInvoice({
    wallet: WALLET,
    asset: MASTER,
    rawAmount: 5n,
    expiresAt: new Date((NOW + expiresInSeconds) * 1000),
    clock: server,
  })
  const nowMs = (): number => server.nowMs() - 3_600_000
  const asked: string[] = []
  const options: WalletRequestsOptions = {
    reference: invoice.order.reference,
    payment: JSON.parse(JSON.stringify(invoice)),
    receivedAtMs: nowMs(),
    async messagesFor(sender) {
      asked.push(sender)
      return { validUntil: NOW + 200, messages: [] }
    },
    confirmUnprotected: () => false,
    storage: sharedStorage(),
    locks: sharedLocks(),
    nowMs,
    ...changes,
  }
  return { server, invoice, asked, openTab: () => createWalletRequests(options) }
}

const never = () => new Promise<never>(() => undefined)
const answer = async (request: WalletRequest) => request

describe('requests to the wallet of a buyer', () => {
  it('S152 hand the items of the invoice to a wallet that can build them', async () => {
    const { openTab, invoice, asked } = await openTabs()
    const request = await openTab().pay(withItems, answer)
    expect(request).toEqual(await invoice.tonConnect())
    expect(request.validUntil).toBe(NOW + 300)
    expect(asked).toEqual([])
  })

  it('S152 hand messages to a wallet that cannot build items of this type', async () => {
    const { openTab, asked } = await openTabs()
    const ofTon = { ...onlyMessages, features: [{ ...feature, itemTypes: ['ton'] }] }
    expect(await openTab().pay(ofTon, answer)).toEqual({ validUntil: NOW + 200, messages: [] })
    expect(asked).toEqual([WALLET])
  })

  it('ask the buyer for a confirmation in a browser without locks', async () => {
    const refused = new DOMException('refused', 'SecurityError')
    const locks = { request: () => Promise.reject(refused) }
    let questions = 0
    const confirmUnprotected = (): boolean => ++questions > 0
    const { openTab } = await openTabs({ locks, confirmUnprotected })
    const tab = openTab()
    await tab.pay(withItems, answer)
    expect([questions, tab.isProtected]).toEqual([1, false])
    await expect(tab.pay(withItems, answer)).rejects.toThrow('may still arrive')
  })

  it('end with the invoice, by the time of the server', async () => {
    const { openTab, server } = await openTabs({}, 120)
    await server.advance(30_000)
    expect((await openTab().pay(withItems, answer)).validUntil).toBe(NOW + 120)
    const late = await openTabs({}, 120)
    await late.server.advance(120_000)
    await expect(late.openTab().pay(withItems, answer)).rejects.toThrow('The time to pay is over.')
  })

  it.each<[string, () => Promise<unknown>]>([
    ['the wallet has answered', async () => ({ hasResponse: true, response: {} })],
    [
      'the wallet saw it',
      async () => ({ hasResponse: false, connectResult: { dispatched: true } }),
    ],
    ['its dialog was closed', () => Promise.reject(new Error('Transaction was not sent'))],
    ['the error is unknown', () => Promise.reject(Object.assign(new Error(), { code: 0 }))],
    ['the page was reloaded before', never],
  ])('S151 stay open when %s, in all tabs', async (_, send) => {
    const { openTab } = await openTabs()
    const [tab, other] = [openTab(), openTab()]
    expect([tab.mayPay(), other.mayPay()]).toEqual([true, true])
    void tab.pay(withItems, send).catch(() => undefined)
    await expect(other.pay(withItems, answer)).rejects.toThrow('may still arrive')
    const reloaded = openTab()
    for (const page of [tab, other, reloaded]) {
      page.update({ status: 'waiting', checkedUntil: NOW + 360 })
      expect(page.mayPay()).toBe(false)
      page.update({ status: 'detected', checkedUntil: NOW + 361 })
      expect(page.mayPay()).toBe(false)
      page.update({ status: 'waiting', checkedUntil: NOW + 361 })
      expect(page.mayPay()).toBe(true)
    }
  })

  it('S151 keep a new order from beginning until an expired one can no longer be paid', async () => {
    const { openTab } = await openTabs()
    const tab = openTab()
    expect(tab.hasOpenRequest()).toBe(false)
    void tab.pay(withItems, never)
    await expect.poll(() => tab.hasOpenRequest()).toBe(true)
    for (const page of [tab, openTab()]) {
      page.update({ status: 'expired' })
      expect(page.hasOpenRequest()).toBe(true)
      page.update({ status: 'expired', checkedUntil: NOW + 360 })
      expect(page.hasOpenRequest()).toBe(true)
      page.update({ status: 'expired', checkedUntil: NOW + 361 })
      expect([page.hasOpenRequest(), page.mayPay()]).toEqual([false, false])
    }
  })

  it('stay open until a status event says that the chain was searched', async () => {
    const { openTab, server } = await openTabs()
    void openTab().pay(withItems, never)
    await expect.poll(() => openTab().hasOpenRequest()).toBe(true)
    await server.advance(365 * 86_400_000)
    const page = openTab()
    page.update({ status: 'expired' })
    expect(page.hasOpenRequest()).toBe(true)
  })

  it.each<[string, () => Promise<unknown>]>([
    ['never seen', async () => ({ hasResponse: false, connectResult: { dispatched: false } })],
    ...[1, 100, 300, 400].map((code): [string, () => Promise<unknown>] => [
      `refused with ${code}`,
      () => Promise.reject(Object.assign(new Error(), { code })),
    ]),
  ])('S151 end at once when the wallet has %s', async (_, send) => {
    const { openTab } = await openTabs()
    const tab = openTab()
    await tab.pay(withItems, send).catch(() => undefined)
    expect(tab.mayPay()).toBe(true)
    expect(openTab().mayPay()).toBe(true)
  })

  it('end with an error that the SDK of TON Connect treats as a refusal', async () => {
    class UserRejectsError extends Error {}
    const isRefusal = (error: unknown): boolean => error instanceof UserRejectsError
    const { openTab } = await openTabs({ isRefusal })
    const tab = openTab()
    const refuse = () => Promise.reject(new UserRejectsError())
    await expect(tab.pay(withItems, refuse)).rejects.toThrow(UserRejectsError)
    expect(tab.mayPay()).toBe(true)
  })

  it('reach the wallet once when two tabs ask at the same time', async () => {
    const { openTab } = await openTabs()
    const sent: WalletRequest[] = []
    const send = async (request: WalletRequest) => void sent.push(request)
    const results = await Promise.allSettled([
      openTab().pay(onlyMessages, send),
      openTab().pay(onlyMessages, send),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(sent).toHaveLength(1)
  })

  it('are confirmed by the buyer where the browser refuses its storage', async () => {
    const refuse = (): never => {
      throw new Error('SecurityError')
    }
    const storage = { getItem: refuse, setItem: refuse, removeItem: refuse }
    const asked: boolean[] = []
    const { openTab } = await openTabs({
      storage,
      confirmUnprotected: () => asked.push(true) === 1,
    })
    const tab = openTab()
    expect(tab.isProtected).toBe(false)
    await tab.pay(withItems, answer)
    // This page knows of its own request; a reloaded one does not, and asks.
    expect(tab.mayPay()).toBe(false)
    await expect(openTab().pay(withItems, answer)).rejects.toThrow('Not confirmed.')
    expect(asked).toHaveLength(2)
  })
})
