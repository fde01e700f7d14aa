import { comment, internal, SendMode, toNano, type Address, type MessageRelaxed } from '@ton/core'
import { walletV5 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>
type Invoice = Awaited<ReturnType<Shop['open']>>

const COUNTS = [1, 10, 40]
const PROOFS: [string, InvoiceShopOptions][] = [
  ['with a proof', {}],
  ['without a proof', { payments: { verifyOnChain: undefined } }],
]
const CASES = COUNTS.flatMap((count) => PROOFS.map(([name, options]) => ({ count, name, options })))

/** Opens invoices in an asset, the first ones of equal amounts. */
async function openMany(shop: Shop, asset: string, count: number): Promise<Invoice[]> {
  const invoices: Invoice[] = []
  for (let number = 0; number < count; number++) {
    invoices.push(await shop.open({ asset, rawAmount: 2_000_000n + BigInt(number >> 1) }))
  }
  return invoices
}

/** Returns the message by which the owner of a wallet pays an invoice in USDT. */
function jettonPayment(
  { usdt, merchant }: Shop,
  from: Address,
  { order }: Invoice,
): MessageRelaxed {
  return usdt.transferMessage({
    from: from,
    to: merchant.address,
    amount: order.rawAmount,
    response: from,
    forwardCoins: 1n,
    forwardPayload: comment(order.reference),
  })
}

/** A payer with USDT and hardly any coins, whose wallet is deployed. */
async function payerWithoutCoins(shop: Shop, seed: number) {
  const wallet = await shop.chain.createWallet({ version: 'v5', seed, balance: toNano('0.02') })
  await wallet.send([])
  await shop.usdt.mint(wallet.address, 1_000_000_000n)
  return wallet
}

/** Returns the message of a relay that lets the wallet of a seed send what its owner has signed. */
function relayed(shop: Shop, seed: number, messages: MessageRelaxed[]): MessageRelaxed {
  const { wallet, keys } = walletV5(seed)
  const body = wallet.createTransfer({
    seqno: 1,
    secretKey: keys.secretKey,
    authType: 'internal',
    timeout: shop.chain.now + 600,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    messages,
  })
  return internal({ to: wallet.address, value: toNano('0.3'), bounce: true, body })
}

/** Returns what two runs and a new process find, and what the handlers and the orders know afterwards. */
async function outcomeOf(shop: Shop, invoices: readonly Invoice[]) {
  const first = await shop.look()
  const second = await shop.look()
  const restarted = await shop.watch().run()
  const orders = await Promise.all(invoices.map(({ order }) => shop.orders.find(order)))
  return {
    first,
    second,
    restarted: Object.keys(restarted.decisions).filter((kind) => kind !== 'duplicate'),
    paid: shop.paid.toSorted(),
    events: shop.events,
    transactions: new Set(orders.map((order) => order?.payment?.txHash)).size,
  }
}

/** Returns the outcome when each order is paid once. */
function paidOnce(invoices: readonly Invoice[]): Awaited<ReturnType<typeof outcomeOf>> {
  return {
    first: invoices.map(() => 'paid'),
    second: [],
    restarted: [],
    paid: invoices.map(({ order }) => order.reference).toSorted(),
    events: [],
    transactions: invoices.length,
  }
}

describe('a relay that sends the messages of many payers in one batch', () => {
  it.each(CASES)(
    'pays each of $count orders in jettons once, $name',
    async ({ count, options }) => {
      const shop = await openInvoices(options)
      const relay = await shop.payer('v5')
      const invoices = await openMany(shop, shop.usdt.master.toString(), count)
      const batch: MessageRelaxed[] = []
      for (const [seed, invoice] of invoices.entries()) {
        const { address } = await payerWithoutCoins(shop, 500 + seed)
        const commission = shop.usdt.transferMessage({
          from: address,
          to: relay.address,
          amount: 10_000n,
          response: relay.address,
          forwardCoins: 1n,
        })
        const payment = jettonPayment(shop, address, invoice)
        batch.push(relayed(shop, 500 + seed, seed % 2 === 0 ? [commission, payment] : [payment]))
      }
      await relay.send(batch)
      expect(await outcomeOf(shop, invoices)).toEqual(paidOnce(invoices))
      const paid = await shop.orders.find(invoices[0]!.order)
      expect(paid?.payment?.senderAddr).toBe(walletV5(500).wallet.address.toRawString())
    },
  )

  it.each(CASES)('pays each of $count orders in coins once, $name', async ({ count, options }) => {
    const shop = await openInvoices(options)
    const relay = await shop.payer('v5')
    const invoices = await openMany(shop, 'TON', count)
    const batch: MessageRelaxed[] = []
    for (const [seed, { order }] of invoices.entries()) {
      const { address } = shop.merchant
      await payerWithoutCoins(shop, 500 + seed)
      const body = comment(order.reference)
      const payment = internal({ to: address, value: order.rawAmount, bounce: false, body })
      batch.push(relayed(shop, 500 + seed, [payment]))
    }
    await relay.send(batch)
    expect(await outcomeOf(shop, invoices)).toEqual(paidOnce(invoices))
  })
})

describe('a wallet that pays for many buyers in one batch', () => {
  it.each(CASES)(
    'pays each of $count orders in jettons once, $name',
    async ({ count, options }) => {
      const shop = await openInvoices(options)
      const exchange = await shop.payer('v5')
      const invoices = await openMany(shop, shop.usdt.master.toString(), count)
      await exchange.send(invoices.map((invoice) => jettonPayment(shop, exchange.address, invoice)))
      expect(await outcomeOf(shop, invoices)).toEqual(paidOnce(invoices))
    },
  )
})
