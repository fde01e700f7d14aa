import { internal } from '@ton/core'
import type { ActionResult, PaymentStory } from '@tonplug/desk'
import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { addOrder, openChain, openDeskShop, type DeskShop } from './browser/desk-shop.js'
import { sessionOf } from './shop.js'

/** The desk looks at the chain this often. */
const LOOK_MS = 10_000

/** A shop on a simulated chain, and a customer who pays. */
async function openPaidShop(values: readonly bigint[]) {
  const { chain, buyer, merchant, urls } = await openChain()
  const wallet = merchant.address.toString()
  const amounts = { overpaid: 'accept' } as const
  const clock = createFakeClock({ startMs: Date.now() })
  const shop = await openDeskShop({ v3: urls.chain, wallets: [wallet], amounts, clock })
  shop.fixMail()
  addOrder(shop, 'order-1')
  for (const value of values) {
    await buyer.send([internal({ to: wallet, value, body: 'order-1' })])
    await chain.mine()
  }
  await shop.look()
  const sign = async (link: string | undefined): Promise<void> => {
    await merchant.pay(String(link))
    await chain.mine()
    await clock.advance(LOOK_MS)
  }
  return { ...shop, sign }
}

async function readStory({ url }: DeskShop): Promise<PaymentStory> {
  const response = await fetch(`${url}api/payment?reference=order-1`)
  return (await response.json()) as PaymentStory
}

async function openRefund({ url }: DeskShop, transactionHash: string): Promise<ActionResult> {
  const { token, cookie } = await sessionOf(await fetch(`${url}api/session`))
  const headers = { 'content-type': 'application/json', 'x-csrf-token': token, cookie }
  const body = JSON.stringify({ transactionHash, merchant: '', reason: 'ticket 7' })
  const response = await fetch(`${url}api/refund`, { method: 'POST', headers, body })
  return (await response.json()) as ActionResult
}

describe('a refund', () => {
  it('is shown to every operator who may refund, and followed until it has arrived', async () => {
    const shop = await openPaidShop([10_500_000_000n, 10_500_000_000n])
    const before = await readStory(shop)
    const [extra] = before.payments
    expect(extra).toMatchObject({ situation: { name: 'paid twice' }, amount: '10.5 TON' })
    const opened = await openRefund(shop, String(extra?.txHash))
    expect(opened).toMatchObject({ isSuccess: true, state: 'proposed' })
    shop.signIn('bob@example.com')
    const open = await readStory(shop)
    expect(open.situation).toMatchObject({ state: 'refund_open', name: 'refund open' })
    expect(open.payments[0]).toMatchObject({
      actions: [],
      refund: { by: 'ada@example.com', reason: 'ticket 7', amount: '10.5 TON' },
    })
    const link = open.payments[0]?.refund?.toSign?.link
    expect(link).toMatch(/^ton:\/\/transfer\//)
    shop.signIn('eve@example.com', ['assign'])
    const foreign = await readStory(shop)
    expect(foreign.situation.name).toBe('refund open')
    expect(JSON.stringify(foreign)).not.toContain('ton://transfer')
    shop.signIn('bob@example.com')
    await shop.sign(link)
    const nameOf = async () => (await readStory(shop)).payments.map((one) => one.situation.name)
    await expect.poll(nameOf).toContain('refund arrived')
    const after = await readStory(shop)
    const arrived = after.payments.find(({ situation }) => situation.state === 'refund_arrived')
    expect(arrived?.refund).toMatchObject({ txHash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(arrived?.refund?.toSign).toBeUndefined()
    expect(arrived?.situation.happened).toMatch(/^10\.5 TON was sent back to /)
  })

  it('returns the surplus of a paid order', async () => {
    const shop = await openPaidShop([12_000_000_000n])
    const before = await readStory(shop)
    const [paid] = before.payments
    expect(paid).toMatchObject({
      situation: { state: 'paid', happened: expect.stringContaining('1.5 TON more than') },
      surplus: '1.5 TON',
      actions: ['refund'],
    })
    expect(await openRefund(shop, String(paid?.txHash))).toMatchObject({ state: 'proposed' })
    const open = await readStory(shop)
    expect(open.situation).toMatchObject({
      name: 'refund open',
      happened: expect.stringMatching(/^A refund of 1\.5 TON to .* is open\.$/),
    })
    await shop.sign(open.payments[0]?.refund?.toSign?.link)
    const happened = async () => (await readStory(shop)).situation.happened
    await expect.poll(happened).toContain('1.5 TON was sent back.')
    const after = await readStory(shop)
    expect(after.situation.name).toBe('paid')
    expect(after.payments[0]?.actions).toEqual([])
    expect(after.timeline.map(({ text }) => text)).toContain('A refund of 1.5 TON was opened.')
  })
})

describe('a list of payments', () => {
  it('says that a refund was opened, without a look at the chain', async () => {
    const shop = await openPaidShop([10_500_000_000n, 10_500_000_000n])
    const [extra] = (await readStory(shop)).payments
    await openRefund(shop, String(extra?.txHash))
    const response = await fetch(`${shop.url}api/transfers?limit=1`)
    const { transfers } = (await response.json()) as { transfers: PaymentStory['reports'] }
    expect(transfers[0]?.situation).toMatchObject({
      name: 'refund opened',
      happened: expect.stringMatching(/^A refund of 10\.5 TON to .* was opened\./),
    })
  })
})

describe('the rest of a partly paid order', () => {
  it('is asked for by a link', async () => {
    const shop = await openPaidShop([4_000_000_000n])
    const response = await fetch(`${shop.url}api/rest?reference=order-1`)
    expect(await response.json()).toEqual({
      amount: '6.5 TON',
      link: expect.stringMatching(/^ton:\/\/transfer\/.*amount=6500000000&text=order-1/),
    })
  })

  it('is not asked for without a part', async () => {
    const shop = await openDeskShop()
    addOrder(shop, 'order-1')
    const response = await fetch(`${shop.url}api/rest?reference=order-1`)
    expect(await response.json()).toEqual({ problem: expect.stringContaining('no part') })
  })
})
