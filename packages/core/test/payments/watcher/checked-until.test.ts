import type { CursorStore, Order, PaymentStatusEvent } from '@tonplug/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gatewayBody, openPaidChain, orderOf } from './paid-chain.js'

const MINUTE_MS = 60_000

/** Opens a shop whose watcher runs when the test asks for it. */
async function openShop(orders: Order[], cursor: Partial<CursorStore> = {}) {
  const stored: { text?: string } = {}
  const shop = await openPaidChain(orders, {
    watcher: {
      cursor: {
        load: async () => stored.text,
        save: async (text) => void (stored.text = text),
        acquire: async () => true,
        release: async () => undefined,
        ...cursor,
      },
    },
  })
  const events: PaymentStatusEvent[] = []
  const end = new AbortController()
  onTestFinished(() => end.abort())
  const read = async (): Promise<void> => {
    const { signal } = end
    for await (const event of shop.payments.watchStatus('open', { signal })) events.push(event)
  }
  void read()
  return {
    ...shop,
    stored,
    events,
    /** The last event after the next read of it. */
    async lastEvent() {
      await shop.wait(16)
      await shop.quiet()
      return events.at(-1)
    },
  }
}

describe('checkedUntil of a status event', () => {
  it('stays before a payment whose trace the index does not return for hours', async () => {
    const shop = await openShop([orderOf('open', gatewayBody(1))])
    await shop.pay(1, { body: gatewayBody(1) })
    const paidAt = shop.chain.now
    shop.v3Server.fault = ({ path }) =>
      path.includes('/traces') ? { status: 500, body: '{}' } : undefined
    for (let quarter = 0; quarter < 8; quarter++) {
      await shop.wait(15 * 60)
      await shop.pay(2, { body: 'of a stranger', value: 1n })
      await shop.look()
    }
    const { status, checkedUntil = 0 } = (await shop.lastEvent()) ?? {}
    expect(status).toBe('waiting')
    expect(checkedUntil).toBeLessThan(paidAt)
  })

  it('is absent, and holds nothing back, while the cursor does not answer', async () => {
    const paid = orderOf('open', gatewayBody(1), { status: 'completed' })
    const shop = await openShop([paid], { load: () => new Promise(() => undefined) })
    expect(await shop.lastEvent()).toEqual({ status: 'paid' })
  })

  it('is the newest block of the last complete run', async () => {
    const shop = await openShop([orderOf('open', gatewayBody(1))])
    expect(await shop.lastEvent()).toEqual({ status: 'waiting' })
    // Creates blocks.
    await shop.pay(1, { body: 'of a stranger', value: 1n })
    await shop.wait(60)
    const { last } = await shop.v3.masterchainInfo()
    expect(await shop.look()).toMatchObject({ isComplete: true })
    expect(await shop.lastEvent()).toEqual({ status: 'waiting', checkedUntil: last.gen_utime })
  })

  it('S151 is part of an expired order, too', async () => {
    const expired = orderOf('open', gatewayBody(1), { status: 'expired' })
    const shop = await openShop([expired])
    await shop.pay(1, { body: 'of a stranger', value: 1n })
    const { last } = await shop.v3.masterchainInfo()
    await shop.look()
    expect(await shop.lastEvent()).toEqual({ status: 'expired', checkedUntil: last.gen_utime })
  })

  it('does not advance while the index fails, and is absent after the payment', async () => {
    const body = gatewayBody(1)
    const shop = await openShop([orderOf('open', body)])
    await shop.pay(2, { body: 'of a stranger', value: 1n })
    await shop.look()
    const first = await shop.lastEvent()
    expect(first?.checkedUntil).toBeGreaterThan(0)
    await shop.pay(1, { body })
    await shop.wait(60)
    shop.v3Server.fault = ({ path }) =>
      path.includes('masterchainInfo') ? undefined : { status: 503, body: '' }
    expect(await shop.look()).toMatchObject({ isComplete: false })
    expect(await shop.lastEvent()).toEqual(first)
    shop.v3Server.fault = () => undefined
    await shop.look()
    expect(await shop.lastEvent()).toEqual({ status: 'paid' })
  })

  it('is sent at most every 15 seconds', async () => {
    const shop = await openShop([orderOf('open', gatewayBody(1))])
    for (let second = 0; second < 60; second++) {
      await shop.pay(1, { body: 'of a stranger', value: 1n })
      await shop.wait(1)
      await shop.look()
      await shop.quiet()
    }
    expect(shop.events.length).toBeGreaterThan(3)
    expect(shop.events.length).toBeLessThanOrEqual(6)
  })

  it('is that of the server which holds the lease, less what is not explained', async () => {
    const shop = await openShop([orderOf('open', gatewayBody(1))], { acquire: async () => false })
    shop.watcher.start()
    const at = Math.floor(shop.clock.nowMs() / 1000)
    const store = (retry: unknown[]): void => {
      shop.stored.text = JSON.stringify({ name: 'default', scannedTo: at, retry })
    }
    store([])
    expect(await shop.lastEvent()).toEqual({ status: 'waiting', checkedUntil: at })
    store([['unexplained', at - 100, 1, shop.clock.nowMs() + MINUTE_MS]])
    expect(await shop.lastEvent()).toEqual({ status: 'waiting', checkedUntil: at - 101 })
    store([['since a day', at - 86_000, 1, shop.clock.nowMs() + MINUTE_MS]])
    expect(await shop.lastEvent()).toEqual({ status: 'waiting', checkedUntil: at - 86_001 })
  })
})
