import { beginCell, comment, internal, toNano, type Cell } from '@ton/core'
import {
  createInvoice,
  createPaymentProof,
  createPayments,
  createPaymentWatcher,
  memoryOrderRepository,
  type DecisionKind,
  type InvoiceOptions,
} from '@tonplug/core'
import {
  createTransferClient,
  createTransport,
  createV3Client,
  jettonDecimals,
} from '@tonplug/core/toncenter'
import { createFakeClock, createTestLogger } from '@tonplug/testing'
import type { SimulatedWallet, WalletVersion } from '@tonplug/simulator'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openShop } from './shop.js'
import { startChain } from './start-chain.js'
import { payLink, payRequest, readLink } from './wallet-app.js'

const START_MS = Date.UTC(2026, 0, 5)

/** Opens a shop without a gateway: invoices, a watcher, and a proof of each payment. */
async function openInvoices() {
  const clock = createFakeClock({ startMs: START_MS })
  const chain = await startChain({ now: () => Math.floor(clock.nowMs() / 1000) })
  const merchant = await chain.createWallet({ balance: 0n })
  const usdt = await chain.deployJetton()
  const v3 = createV3Client({ transport: createTransport({ baseUrl: chain.url, rps: Infinity }) })
  const orders = memoryOrderRepository()
  const paid: string[] = []
  const payments = createPayments({
    orders,
    wallets: [merchant.address.toString()],
    verifyOnChain: createPaymentProof({ v3 }),
    onPaid: ({ order, late }) => void paid.push(late ? `${order.reference} late` : order.reference),
    logger: createTestLogger(),
    clock,
  })
  const decided: DecisionKind[] = []
  payments.subscribe(({ decision: { kind } }) => kind !== 'verifying' && decided.push(kind))
  const watcher = createPaymentWatcher({ payments, v3 })
  onTestFinished(async () => {
    const closed = Promise.all([watcher.close(), payments.close()])
    await clock.advance(20_000)
    await closed
  })
  const open = async (options: Partial<InvoiceOptions> & Pick<InvoiceOptions, 'asset'>) => {
    const wallet = merchant.address.toString({ bounceable: false })
    // One of the two amounts is given.
    const invoice = await createInvoice({ wallet, v3, clock, ...options } as InvoiceOptions)
    orders.add(invoice.order)
    return invoice
  }
  return {
    chain,
    clock,
    merchant,
    usdt,
    v3,
    orders,
    paid,
    open,
    /** Returns the decisions of one run, two minutes later, after the proofs. */
    async look() {
      await clock.advance(120_000)
      const { decisions } = await watcher.run()
      const count = Object.values(decisions).reduce((sum, one) => sum + one, 0)
      const proven = async (): Promise<number> => {
        await clock.advance(0)
        return decided.length
      }
      await expect.poll(proven, { timeout: 20_000 }).toBe(count)
      return decided.splice(0)
    },
    /** Returns a payer with coins and USDT, whose wallet contract is not deployed yet. */
    async payer(version: WalletVersion = 'v5'): Promise<SimulatedWallet> {
      const wallet = await chain.createWallet({ version, balance: toNano(100) })
      await usdt.mint(wallet.address, 1_000_000_000n)
      return wallet
    },
  }
}

describe('S102 an invoice', () => {
  it.each(['v3r2', 'v4', 'v5'] as const)(
    'S89 S90 is paid by a new %s wallet: native and in jettons, by link and by TON Connect',
    async (version) => {
      const shop = await openInvoices()
      const asset = shop.usdt.master.toString()
      const native = { asset: 'TON', amount: '10.5' }
      const jetton = { asset, amount: '12.5' }
      const invoices = [
        await shop.open(native),
        await shop.open(native),
        await shop.open(jetton),
        await shop.open(jetton),
      ]
      for (const [index, invoice] of invoices.entries()) {
        const payer = await shop.payer(version)
        if (index % 2 === 0) await payLink(shop.chain, payer, invoice.link)
        else await payRequest(payer, await invoice.tonConnect(payer.address.toString()))
      }

      expect(await shop.look()).toEqual(['paid', 'paid', 'paid', 'paid'])

      const references = invoices.map(({ order }) => order.reference)
      expect(shop.paid.toSorted()).toEqual(references.toSorted())
      for (const { order } of invoices) {
        const stored = await shop.orders.find({ reference: order.reference })
        const { bodyBase64Hash = stored?.payment?.bodyBase64Hash } = order
        expect(stored).toMatchObject({
          status: 'completed',
          payment: { rawAmount: order.rawAmount, asset: order.asset, bodyBase64Hash },
        })
      }
      expect(await shop.usdt.balanceOf(shop.merchant.address)).toBe(25_000_000n)
    },
  )

  it('asks the master for the jetton wallet of a payer who has none yet', async () => {
    const shop = await openInvoices()
    const payer = await shop.chain.createWallet()
    const invoice = await shop.open({ asset: shop.usdt.master.toString(), rawAmount: 5n })
    const request = await invoice.tonConnect(payer.address.toRawString())
    const { jetton_wallets } = await shop.v3.jettonWallets({
      owner_address: payer.address.toRawString(),
    })
    expect(jetton_wallets).toEqual([])
    expect(request.messages[0]?.address).toBe(shop.usdt.walletOf(payer.address).toString())

    await shop.usdt.mint(payer.address, 5n)
    await payRequest(payer, request)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('returns the message to a payer without jettons, and pays nothing', async () => {
    const shop = await openInvoices()
    const payer = await shop.chain.createWallet()
    const invoice = await shop.open({ asset: shop.usdt.master.toString(), rawAmount: 5n })
    await payRequest(payer, await invoice.tonConnect(payer.address.toRawString()))
    const { balance } = await shop.chain.account(payer.address)
    expect(balance).toBeGreaterThan(toNano('99.9'))
    expect(await shop.look()).toEqual([])
    expect(shop.paid).toEqual([])
  })

  it('pays a merchant wallet that is not deployed, at its testnet address', async () => {
    const shop = await openInvoices()
    const wallet = shop.merchant.address.toString({ bounceable: false, testOnly: true })
    const invoice = await shop.open({ wallet, asset: 'TON', rawAmount: 1n })
    const payer = await shop.payer()
    const request = await invoice.tonConnect(payer.address.toString({ testOnly: true }))
    expect(request).toMatchObject({ network: '-3', messages: [{ address: wallet, amount: '1' }] })
    expect(readLink(invoice.link).address).toMatchObject({ isTestOnly: true, isBounceable: false })
    await payRequest(payer, request)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('rejects a TON Connect request for an asset that is not a jetton master', async () => {
    const shop = await openInvoices()
    const { address } = await shop.payer()
    const asset = shop.merchant.address.toString()
    const invoice = await shop.open({ asset, amount: '1', decimals: 6 })
    await expect(invoice.tonConnect(address.toString())).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      details: { option: 'asset' },
    })
  })

  it('is created again from its stored order, and paid with that', async () => {
    const shop = await openInvoices()
    const first = await shop.open({ asset: 'TON', amount: '2' })
    const { reference, rawAmount, asset, recipient } = (await shop.orders.find(first.order))!
    const again = await createInvoice({ wallet: recipient!, reference, rawAmount, asset })
    expect(again.link).toBe(first.link)
    const payer = await shop.payer()
    const sender = payer.address.toString()
    const request = await again.tonConnect(sender)
    expect(request.messages).toEqual((await first.tonConnect(sender)).messages)
    await payRequest(payer, request)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('S97 asks for no payment after it expired; one that arrives nevertheless is late', async () => {
    const shop = await openInvoices()
    const expiresAt = new Date(START_MS + 60_000)
    const invoice = await shop.open({ asset: 'TON', amount: '1', expiresAt })
    const payer = await shop.payer()
    const sender = payer.address.toString()
    expect((await invoice.tonConnect(sender)).validUntil).toBe(START_MS / 1000 + 60)
    await shop.clock.advance(60_000)
    shop.orders.expire(invoice.order)
    await expect(invoice.tonConnect(sender)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVOICE_EXPIRED',
    })
    await payLink(shop.chain, payer, invoice.link)
    expect(await shop.look()).toEqual(['paid'])
    expect(shop.paid).toEqual([`${invoice.order.reference} late`])
  })
})

describe('a reference', () => {
  const encrypted = beginCell().storeUint(0x2167da4b, 32).storeBuffer(Buffer.alloc(80, 7)).endCell()

  it.each<[string, string | Cell]>([
    ['in another case', 'order-17'],
    ['with a space before it', ' Order-17'],
    ['with a space after it', 'Order-17 '],
    ['within a longer comment', 'For Order-17, thanks'],
    ['in an encrypted comment', encrypted],
    ['in no comment', beginCell().endCell()],
  ])('S94 %s pays no order', async (_, sent) => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '1', reference: 'Order-17' })
    const payer = await shop.payer()
    const body = typeof sent === 'string' ? comment(sent) : sent
    const to = shop.merchant.address
    await payer.send([internal({ to, value: toNano(1), bounce: false, body })])
    expect(await shop.look()).toEqual([])
    await payLink(shop.chain, payer, invoice.link)
    expect(await shop.look()).toEqual(['paid'])
  })

  it.each(['Order 17', 'заказ №17 ✓', '👩 🚀', '&amount=1&text=x#%20+=', 'a'.repeat(123)])(
    'S89 %j is sent unchanged by link and by TON Connect',
    async (reference) => {
      const shop = await openInvoices()
      const asset = shop.usdt.master.toString()
      const invoice = await shop.open({ asset: 'TON', amount: '1', reference })
      const [payer, other] = [await shop.payer(), await shop.payer()]
      await payLink(shop.chain, payer, invoice.link)
      expect(await shop.look()).toEqual(['paid'])
      const ofJetton = await shop.open({ asset, amount: '1', reference: `2${reference.slice(2)}` })
      await payRequest(other, await ofJetton.tonConnect(other.address.toString()))
      expect(await shop.look()).toEqual(['paid'])
    },
  )

  it('S98 that was chosen and used before is not paid by the older payment', async () => {
    const shop = await openInvoices()
    const payer = await shop.payer()
    const wallet = shop.merchant.address.toString({ bounceable: false })
    const given = { wallet, asset: 'TON', amount: '1', reference: 'order-17' } as const
    const older = await createInvoice(given)
    await payLink(shop.chain, payer, older.link)
    // Within the period that each run scans again.
    await shop.clock.advance(300_000)
    const invoice = await shop.open(given)
    expect(await shop.look()).toEqual([])
    await payLink(shop.chain, payer, invoice.link)
    expect(await shop.look()).toEqual(['paid'])
  })
})

describe('jettonDecimals', () => {
  it('asks the index once for each jetton', async () => {
    const { chain, v3, usdt } = await openInvoices()
    const other = await chain.deployJetton({ symbol: 'ZERO', decimals: 0 })
    for (const address of [usdt.master.toString(), usdt.master.toRawString()]) {
      expect(await jettonDecimals(v3, address)).toBe(6)
    }
    expect(await jettonDecimals(v3, other.master.toString())).toBe(0)
    const asked = chain.v3Server.requests.filter(({ path }) => path.endsWith('/jetton/masters'))
    expect(asked).toHaveLength(2)
  })

  it('rejects an account that is not a jetton master', async () => {
    const { merchant, v3 } = await openInvoices()
    await expect(jettonDecimals(v3, merchant.address.toString())).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining('the index states no decimals for the jetton 0:'),
    })
  })
})

describe('a transfer of the gateway', () => {
  it.each(['TON', 'USDT'])(
    'is an invoice in %s: paid by link and by TON Connect',
    async (ticker) => {
      const { simulator, orders, calls } = await openShop()
      const { buyer, usdt, chain, urls } = simulator
      const transfers = createTransferClient({ baseUrl: urls.gateway, apiKey: 'key' })
      const asset = ticker === 'TON' ? 'TON' : usdt.master.toString()
      const sender = buyer.address.toString()
      const create = () => transfers.create({ rawAmount: 2_000_000n, asset, senderAddr: sender })

      const first = await create()
      orders.add(first.order)
      await payLink(chain, buyer, first.link)
      const { reference } = first.order
      expect(await calls(1)).toMatchObject([{ kind: 'paid', reference }])

      const second = await create()
      orders.add(second.order)
      await payRequest(buyer, await second.tonConnect(buyer.address.toRawString()))
      expect(await calls(2)).toMatchObject([
        { kind: 'paid' },
        { kind: 'paid', reference: second.order.reference },
      ])
    },
  )
})
