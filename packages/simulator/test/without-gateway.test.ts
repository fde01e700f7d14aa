import { createOperator } from '@tonplug/core/operator'
import { beginCell, comment, internal, toNano, type Address } from '@ton/core'
import type { Fetch } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>
type Wallet = Awaited<ReturnType<Shop['payer']>>

const JETTON_VALUE = toNano('0.1')

/** Sends coins with a comment to the merchant. */
function sendCoins(shop: Shop, payer: Wallet, value: bigint, text: string) {
  const body = text === '' ? beginCell().endCell() : comment(text)
  return payer.send([internal({ to: shop.merchant.address, value, bounce: false, body })])
}

/** Sends jettons with a comment to the merchant. */
function sendJettons(
  shop: Shop,
  payer: Wallet,
  { amount, text, jetton = shop.usdt }: { amount: bigint; text?: string; jetton?: Shop['usdt'] },
) {
  const parties = { from: payer.address, to: shop.merchant.address, response: payer.address }
  const transfer = { ...parties, amount, forwardCoins: 1n }
  const forwardPayload = text === undefined ? undefined : comment(text)
  const message = { ...transfer, ...(forwardPayload && { forwardPayload }), value: JETTON_VALUE }
  return payer.send([jetton.transferMessage(message)])
}

async function statusOf({ orders }: Shop, order: { reference: string }): Promise<string> {
  return (await orders.find(order))?.status ?? 'missing'
}

describe('an invoice that is paid again', () => {
  it.each(['TON', 'USDT'])(
    'S91 stays paid by the first payment in %s, by the same and by another payer',
    async (ticker) => {
      const shop = await openInvoices()
      const asset = ticker === 'TON' ? 'TON' : shop.usdt.master.toString()
      const invoice = await shop.open({ asset, amount: '2' })
      const { reference } = invoice.order
      const [payer, other] = [await shop.payer(), await shop.payer()]
      await payer.pay(invoice.link)
      expect(await shop.look()).toEqual(['paid'])
      const first = (await shop.orders.find({ reference }))?.payment

      await payer.pay(invoice.link)
      await other.pay(invoice.link)
      expect(await shop.look()).toEqual(['extra_payment', 'extra_payment'])
      // The overlap is scanned again.
      await shop.look()

      expect((await shop.orders.find({ reference }))?.payment).toEqual(first)
      expect(shop.paid).toEqual([reference])
      expect(shop.events).toEqual([`extra ${reference}`, `extra ${reference}`])
      expect(
        (await createOperator({ payments: shop.payments }).list({ reference })).map(
          ({ action }) => action,
        ),
      ).toEqual(['refund', 'refund', 'none'])
    },
  )

  it('S91 is paid once in one transaction of the wallet', async () => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '2' })
    const payer = await shop.payer()
    const { messages, ...request } = await invoice.tonConnect({ sender: payer.address.toString() })
    await payer.pay({ ...request, messages: [...messages, ...messages] })
    expect((await shop.look()).toSorted()).toEqual(['extra_payment', 'paid'])
    expect(shop.paid).toEqual([invoice.order.reference])
  })
})

describe('a payment of another amount', () => {
  it.each([
    ['less', 1_999_999_999n, 'underpaid'],
    ['more', 2_000_000_001n, 'overpaid'],
  ] as const)('S92 leaves the order open: one nanocoin %s', async (_, value, reason) => {
    const shop = await openInvoices()
    const { order, link } = await shop.open({ asset: 'TON', amount: '2' })
    const payer = await shop.payer()
    await sendCoins(shop, payer, value, order.reference)
    expect(await shop.look()).toEqual(['amount_mismatch'])
    expect(shop.events).toEqual([`${reason} ${order.reference} ${value}`])
    expect(await statusOf(shop, order)).toBe('pending')
    await payer.pay(link)
    expect(await shop.look()).toEqual(['paid'])
  })

  it.each(['TON', 'USDT'])(
    'S92 is underpaid twice in two halves in %s, and the sum is reported',
    async (ticker) => {
      const shop = await openInvoices()
      const asset = ticker === 'TON' ? 'TON' : shop.usdt.master.toString()
      const { order } = await shop.open({ asset, amount: '3' })
      const { reference, rawAmount } = order
      const half = rawAmount / 2n
      const [payer, other] = [await shop.payer(), await shop.payer()]
      for (const [one, total] of [
        [payer, half],
        [other, rawAmount],
      ] as const) {
        if (ticker === 'TON') await sendCoins(shop, one, half, reference)
        else await sendJettons(shop, one, { amount: half, text: reference })
        expect(await shop.look()).toEqual(['amount_mismatch'])
        expect(shop.events.splice(0)).toEqual([`underpaid ${reference} ${total}`])
      }
      expect(await statusOf(shop, order)).toBe('pending')
      const listed = await createOperator({ payments: shop.payments }).list({ reference })
      expect(listed).toMatchObject([
        { action: 'accept_or_refund', totalReceived: `${rawAmount}` },
        { action: 'accept_or_refund', totalReceived: `${rawAmount}` },
      ])
    },
  )
})

describe('a payment that does not arrive', () => {
  it('S96 is not paid when the message bounces', async () => {
    const shop = await openInvoices()
    const { order } = await shop.open({ asset: 'TON', amount: '2' })
    const payer = await shop.payer()
    // The merchant's wallet is not deployed.
    const body = comment(order.reference)
    await payer.send([
      internal({ to: shop.merchant.address, value: toNano(2), bounce: true, body }),
    ])
    expect(await shop.look()).toEqual([])
    expect(await statusOf(shop, order)).toBe('pending')
    expect(await createOperator({ payments: shop.payments }).list()).toEqual([])
  })

  it.each([
    ['has too few coins for its fees', { amount: 2_000_000n, value: toNano('0.01') }],
    ['is of more jettons than the payer has', { amount: 2_000_000_000n, value: JETTON_VALUE }],
  ])('S96 is not paid when a jetton transfer %s', async (_, transfer) => {
    const shop = await openInvoices()
    const asset = shop.usdt.master.toString()
    const { order } = await shop.open({ asset, rawAmount: transfer.amount })
    const payer = await shop.payer()
    const forwardPayload = comment(order.reference)
    const response = payer.address
    const message = { ...transfer, from: payer.address, to: shop.merchant.address, response }
    await payer.send([shop.usdt.transferMessage({ ...message, forwardCoins: 1n, forwardPayload })])
    expect(await shop.look()).toEqual([])
    expect(await statusOf(shop, order)).toBe('pending')
  })

  it('S96 is paid when its last block is final, not earlier', async () => {
    const shop = await openInvoices()
    const asset = shop.usdt.master.toString()
    const invoice = await shop.open({ asset, amount: '2' })
    const payer = await shop.payer()
    await payer.send([])
    shop.chain.isHolding = true
    const sent = payer.pay(invoice.link)
    await expect.poll(() => shop.chain.pool.length).toBe(1)
    // The wallet, its jetton wallet, the merchant's jetton wallet; the notification follows.
    for (let block = 0; block < 3; block++) {
      await shop.chain.mineBlock()
      await shop.clock.advance(120_000)
      expect((await shop.watcher.run()).decisions).toEqual({})
      expect(await statusOf(shop, invoice.order)).toBe('pending')
    }
    shop.chain.isHolding = false
    await shop.chain.mine()
    await sent
    expect(await shop.look()).toEqual(['paid'])
  })
})

describe('a transfer without a comment', () => {
  it.each(['TON', 'USDT'])('S99 is listed in %s, and pays no order', async (ticker) => {
    const shop = await openInvoices()
    const asset = ticker === 'TON' ? 'TON' : shop.usdt.master.toString()
    const { order } = await shop.open({ asset, amount: '2' })
    const exchange = await shop.payer()
    if (ticker === 'TON') await sendCoins(shop, exchange, order.rawAmount, '')
    else await sendJettons(shop, exchange, { amount: order.rawAmount })
    expect(await shop.look()).toEqual(['unknown_order'])
    expect(await shop.look()).toEqual([])
    expect(shop.events).toEqual([`unknown ${order.rawAmount}`])
    expect(await statusOf(shop, order)).toBe('pending')
    expect(await createOperator({ payments: shop.payments }).list()).toMatchObject([
      {
        action: 'assign',
        reference: '',
        source: 'chain',
        state: 'decided',
        transfer: {
          rawAmount: `${order.rawAmount}`,
          asset: order.asset,
          senderAddr: exchange.address.toRawString(),
          recipientAddr: shop.merchant.address.toRawString(),
        },
      },
    ])
    // It is decided for good: no look-up is repeated.
    expect(await shop.inbox.stats()).toMatchObject({ parked: 0, undecided: 0 })
  })

  it('S99 pays no order by its amount where a proof requires the body of the invoice', async () => {
    const shop = await openInvoices({ watcher: { matchBy: ['comment', 'amount'] } })
    const { order } = await shop.open({ asset: 'TON', rawAmount: 2_000_000_017n })
    await shop.open({ asset: 'TON', amount: '2' })
    await sendCoins(shop, await shop.payer(), 2_000_000_017n, '')
    await shop.pass(120)
    expect((await shop.watcher.run()).decisions).toEqual({ verifying: 1 })
    expect(await shop.takeDecisions(1)).toEqual(['unverified'])
    expect(await statusOf(shop, order)).toBe('pending')
  })

  it('S99 pays the only open order of its amount without a proof, and none of two', async () => {
    const shop = await openInvoices({
      watcher: { matchBy: ['comment', 'amount'] },
      payments: { verifyOnChain: undefined },
    })
    const only = await shop.open({ asset: 'TON', rawAmount: 2_000_000_017n })
    const twins = [
      await shop.open({ asset: 'TON', amount: '3' }),
      await shop.open({ asset: 'TON', amount: '3' }),
    ]
    const exchange = await shop.payer()
    await sendCoins(shop, exchange, 2_000_000_017n, '')
    await sendCoins(shop, exchange, toNano(3), '')
    expect((await shop.look()).toSorted()).toEqual(['paid', 'unknown_order'])
    expect(shop.paid).toEqual([only.order.reference])
    for (const { order } of twins) expect(await statusOf(shop, order)).toBe('pending')
    expect(shop.events).toEqual([`unknown ${toNano(3)}`])
  })

  it('S99 is not listed when a new process reads it again after it was matched by its amount', async () => {
    const options = {
      watcher: { matchBy: ['amount'] },
      payments: { verifyOnChain: undefined },
    } satisfies InvoiceShopOptions
    const shop = await openInvoices(options)
    await shop.open({ asset: 'TON', amount: '3' })
    // Keeps the period since the payment in the next scan.
    await shop.open({ asset: 'TON', amount: '4' })
    await sendCoins(shop, await shop.payer(), toNano(3), '')
    expect(await shop.look()).toEqual(['paid'])
    const restarted = shop.watch(options.watcher)
    expect((await restarted.run()).decisions).toEqual({})
    expect(shop.events).toEqual([])
  })
})

describe('dust', () => {
  it('S95 costs no rows, no traces and no look-ups, and hides no payment', async () => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '2' })
    const asset = shop.usdt.master.toString()
    await shop.open({ asset, amount: '100' })
    const attacker = await shop.payer()
    for (let round = 0; round < 3; round++) {
      const dust = [1n, 99_999_999n].map((value) =>
        internal({
          to: shop.merchant.address,
          value,
          bounce: false,
          body: comment(`dust ${round}`),
        }),
      )
      await attacker.send(Array.from({ length: 10 }, () => dust).flat())
      await sendJettons(shop, attacker, { amount: 999_999n })
    }
    await (await shop.payer()).pay(invoice.link)
    await shop.pass(120)
    const { requests } = shop.chain.v3Server
    const before = requests.length
    await shop.watcher.run()
    expect(await shop.takeDecisions(1)).toEqual(['paid'])
    // Jetton transfers and the payment are read by two requests for traces; the rest are lists and the proof.
    expect(requests.length - before).toBeLessThanOrEqual(15)
    expect(await createOperator({ payments: shop.payments }).list()).toMatchObject([
      { decision: { kind: 'paid' } },
    ])
  })
})

describe('an index that fails', () => {
  const FAULTS = {
    'is down': () => ({ status: 500, body: '{"error":"down"}' }),
    'limits the rate': () => ({ status: 429, body: '{"error":"limit"}' }),
    'returns HTML': () => ({ status: 200, body: '<html></html>' }),
  }

  it.each(Object.entries(FAULTS))(
    'S101 delays payments by %s, and loses none',
    async (_, fault) => {
      const shop = await openInvoices()
      const invoice = await shop.open({ asset: 'TON', amount: '2' })
      expect(await shop.look()).toEqual([])
      const { v3Server } = shop.chain
      v3Server.fault = fault
      await (await shop.payer()).pay(invoice.link)
      // Longer than the period that is scanned again.
      for (let hour = 0; hour < 3; hour++) {
        await shop.pass(3600)
        expect(await shop.watcher.run()).toMatchObject({ isComplete: false, decisions: {} })
      }
      v3Server.fault = () => undefined
      expect(await shop.look()).toEqual(['paid'])
    },
  )

  it.each(['/transactions', '/traces'])(
    'S101 does not move the cursor past a payment when it fails for %s alone',
    async (path) => {
      const shop = await openInvoices()
      const invoice = await shop.open({ asset: 'TON', amount: '2' })
      expect(await shop.look()).toEqual([])
      const { v3Server } = shop.chain
      v3Server.fault = (request) =>
        request.path.endsWith(path) ? { status: 500, body: '{}' } : undefined
      await (await shop.payer()).pay(invoice.link)
      for (let hour = 0; hour < 3; hour++) {
        await shop.pass(3600)
        await shop.watcher.run()
      }
      v3Server.fault = () => undefined
      await shop.pass(3600)
      expect(await shop.look()).toEqual(['paid'])
    },
  )

  it('S101 delays payments when it is behind, and loses none', async () => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '2' })
    expect(await shop.look()).toEqual([])
    await (await shop.payer()).pay(invoice.link)
    const behind = shop.chain.blocks.length
    for (let hour = 0; hour < 3; hour++) {
      await shop.pass(3600)
      shop.chain.v3Server.lagBlocks = shop.chain.blocks.length - behind + 6
      expect(await shop.watcher.run()).toMatchObject({ isComplete: true, decisions: {} })
    }
    shop.chain.v3Server.lagBlocks = 0
    expect(await shop.look()).toEqual(['paid'])
  })

  it.each([
    ['a minute', 60],
    ['a day', 90_000],
  ])('S101 loses no payment in a gap of its lists, which closes after %s', async (_, seconds) => {
    let hasGap = true
    const withGap: Fetch = async (url, init) => {
      const response = await fetch(url as string, init as RequestInit)
      if (!hasGap || !String(url).includes('/transactions')) return response
      const json = (await response.json()) as Record<string, unknown>
      return Response.json({ ...json, transactions: [] })
    }
    const shop = await openInvoices({ fetch: withGap })
    // Matched by its comment, so that no look-up by its body finds it.
    const { order } = await shop.open({ asset: 'TON', amount: '2' })
    shop.orders.replace({ ...order, bodyBase64Hash: undefined })
    await sendCoins(shop, await shop.payer(), order.rawAmount, order.reference)
    expect(await shop.look()).toEqual([])
    hasGap = false
    await shop.pass(seconds)
    expect(await shop.look()).toEqual(['paid'])
  })
})

describe('an abuse of invoices', () => {
  it('S91 delivers nothing for a reused invoice', async () => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '2' })
    const payer = await shop.payer()
    await payer.pay(invoice.link)
    expect(await shop.look()).toEqual(['paid'])
    // The payer asks for the same thing again, with the payment of the first order.
    const second = await shop.open({ asset: 'TON', amount: '2' })
    expect(await shop.look()).toEqual([])
    await payer.pay(invoice.link)
    expect(await shop.look()).toEqual(['extra_payment'])
    expect(await statusOf(shop, second.order)).toBe('pending')
  })

  it('S92 delivers nothing for a changed amount in the link', async () => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '2' })
    const link = invoice.link.replace('amount=2000000000', 'amount=2000000')
    await (await shop.payer()).pay(link)
    expect(await shop.look()).toEqual(['amount_mismatch'])
    expect(await statusOf(shop, invoice.order)).toBe('pending')
  })

  it('S94 pays the order that an imitated comment names, or none', async () => {
    const shop = await openInvoices()
    const own = await shop.open({ asset: 'TON', amount: '1', reference: 'order-1' })
    const other = await shop.open({ asset: 'TON', amount: '5', reference: 'order-12' })
    const payer = await shop.payer()
    // Another order's reference with the own amount, and comments that contain or resemble a reference.
    await sendCoins(shop, payer, toNano(1), 'order-12')
    expect(await shop.look()).toEqual(['amount_mismatch'])
    for (const text of ['order-1\u200b', 'order-\u0031\u0000', 'order‑1', 'order-12 order-1']) {
      await sendCoins(shop, payer, toNano(1), text)
      expect(await shop.look()).toEqual(['unknown_order'])
    }
    expect(shop.paid).toEqual([])
    for (const { order } of [own, other]) expect(await statusOf(shop, order)).toBe('pending')
  })

  it.each([true, false])(
    'S93 delivers nothing for a notification of a fake jetton wallet (with a proof: %s)',
    async (isProven) => {
      const shop = await openInvoices(isProven ? {} : { payments: { verifyOnChain: undefined } })
      const asset = shop.usdt.master.toString()
      const { order } = await shop.open({ asset, amount: '2' })
      const attacker = await shop.payer()
      const notification = beginCell()
        .storeUint(0x7362d09c, 32)
        .storeUint(0, 64)
        .storeCoins(order.rawAmount)
        .storeAddress(attacker.address)
        .storeBit(true)
        .storeRef(comment(order.reference))
        .endCell()
      const to = shop.merchant.address
      for (const value of [toNano('0.01'), toNano(1)]) {
        await attacker.send([internal({ to, value, bounce: false, body: notification })])
      }
      expect(await shop.look()).toEqual([])
      expect(await statusOf(shop, order)).toBe('pending')
      expect(await createOperator({ payments: shop.payments }).list()).toEqual([])
    },
  )

  it.each([true, false])(
    'S93 delivers nothing for another jetton of the same name (with a proof: %s)',
    async (isProven) => {
      const shop = await openInvoices(isProven ? {} : { payments: { verifyOnChain: undefined } })
      const { payer, order, fake } = await payWithFakeJetton(shop)
      expect(await shop.look()).toEqual(['asset_mismatch'])
      expect(shop.events).toEqual([`asset ${order.reference} 0`])
      // Without a comment it is not listed: anyone can mint such jettons.
      await sendJettons(shop, payer, { amount: order.rawAmount, jetton: fake })
      expect(await shop.look()).toEqual([])
      expect(await statusOf(shop, order)).toBe('pending')
    },
  )

  it.each([true, false])(
    'S93 delivers nothing for a master that the index confuses with the genuine one (with a proof: %s)',
    async (isProven) => {
      let attribute = (text: string): string => text
      const spoofed: Fetch = async (url, init) => {
        const response = await fetch(url as string, init as RequestInit)
        return new Response(attribute(await response.text()), { status: response.status })
      }
      const shop = await openInvoices({
        fetch: spoofed,
        ...(!isProven && { payments: { verifyOnChain: undefined } }),
      })
      const { payer, order, fake } = await payWithFakeJetton(shop)
      await sendJettons(shop, payer, { amount: order.rawAmount, jetton: fake })
      const [from, to] = [fake, shop.usdt].map(({ master }) => wire(master))
      attribute = (text) => text.replaceAll(from!, to!)
      expect(await shop.look()).toEqual([])
      expect(await statusOf(shop, order)).toBe('pending')
      expect(await createOperator({ payments: shop.payments }).list()).toEqual([])
    },
  )
})

/** Pays an invoice with a jetton that has the same name and ticker as the genuine one. */
async function payWithFakeJetton(shop: Shop) {
  const { order } = await shop.open({ asset: shop.usdt.master.toString(), amount: '2' })
  const payer = await shop.payer()
  const { symbol, name } = shop.usdt
  // Eight decimals, so that the code and data of the master differ.
  const fake = await shop.chain.deployJetton({ symbol, name, decimals: 8 })
  await fake.mint(payer.address, 1_000_000_000n)
  await sendJettons(shop, payer, { amount: order.rawAmount, text: order.reference, jetton: fake })
  return { payer, order, fake }
}

/** Formats an address as the index does. */
function wire(address: Address): string {
  return address.toRawString().toUpperCase()
}
