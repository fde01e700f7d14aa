import { beginCell, comment, internal, toNano, type Cell } from '@ton/core'
import { createInvoice } from '@tonplug/core'
import { createTransferClient, jettonDecimals } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { openInvoices, START_MS } from './invoice-shop.js'
import { openShop } from './shop.js'

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
        if (index % 2 === 0) await payer.pay(invoice.link)
        else await payer.pay(await invoice.tonConnect({ sender: payer.address.toString() }))
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
    const request = await invoice.tonConnect({ sender: payer.address.toRawString() })
    const { jetton_wallets } = await shop.v3.jettonWallets({
      owner_address: payer.address.toRawString(),
    })
    expect(jetton_wallets).toEqual([])
    expect(request.messages[0]?.address).toBe(shop.usdt.walletOf(payer.address).toString())

    await shop.usdt.mint(payer.address, 5n)
    await payer.pay(request)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('returns the message to a payer without jettons, and pays nothing', async () => {
    const shop = await openInvoices()
    const payer = await shop.chain.createWallet()
    const invoice = await shop.open({ asset: shop.usdt.master.toString(), rawAmount: 5n })
    await payer.pay(await invoice.tonConnect({ sender: payer.address.toRawString() }))
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
    const request = await invoice.tonConnect({ sender: payer.address.toString({ testOnly: true }) })
    expect(request).toMatchObject({ network: '-3', messages: [{ address: wallet, amount: '1' }] })
    expect(invoice.link).toContain(`ton://transfer/${wallet}?`)
    await payer.pay(request)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('rejects a TON Connect request for an asset that is not a jetton master', async () => {
    const shop = await openInvoices()
    const { address } = await shop.payer()
    const asset = shop.merchant.address.toString()
    const invoice = await shop.open({ asset, amount: '1', decimals: 6 })
    await expect(invoice.tonConnect({ sender: address.toString() })).rejects.toMatchObject({
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
    const request = await again.tonConnect({ sender })
    expect(request.messages).toEqual((await first.tonConnect({ sender })).messages)
    await payer.pay(request)
    expect(await shop.look()).toEqual(['paid'])
  })

  it('S97 asks for no payment after it expired; one that arrives nevertheless is late', async () => {
    const shop = await openInvoices()
    const expiresAt = new Date(START_MS + 60_000)
    const invoice = await shop.open({ asset: 'TON', amount: '1', expiresAt })
    const payer = await shop.payer()
    const sender = payer.address.toString()
    expect((await invoice.tonConnect({ sender })).validUntil).toBe(START_MS / 1000 + 60)
    await shop.clock.advance(60_000)
    shop.orders.expire(invoice.order)
    await expect(invoice.tonConnect({ sender })).rejects.toMatchObject({
      code: 'ERR_TONPLUG_INVOICE_EXPIRED',
    })
    await expect(payer.pay(invoice.link)).rejects.toThrow('the payment was valid until')
    const linkWithoutExpiry = invoice.link.replace(/&exp=\d+$/, '')
    await payer.pay(linkWithoutExpiry)
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
  ])('S94 pays no order when it is %s', async (_, sent) => {
    const shop = await openInvoices()
    const invoice = await shop.open({ asset: 'TON', amount: '1', reference: 'Order-17' })
    const payer = await shop.payer()
    const body = typeof sent === 'string' ? comment(sent) : sent
    const to = shop.merchant.address
    await payer.send([internal({ to, value: toNano(1), bounce: false, body })])
    expect(await shop.look()).toEqual(['unknown_order'])
    await payer.pay(invoice.link)
    expect(await shop.look()).toEqual(['paid'])
  })

  it.each(['Order 17', 'заказ №17 ✓', '👩 🚀', '&amount=1&text=x#%20+=', 'a'.repeat(123)])(
    'S89 is sent unchanged by link and by TON Connect: %j',
    async (reference) => {
      const shop = await openInvoices()
      const asset = shop.usdt.master.toString()
      const invoice = await shop.open({ asset: 'TON', amount: '1', reference })
      const [payer, other] = [await shop.payer(), await shop.payer()]
      await payer.pay(invoice.link)
      expect(await shop.look()).toEqual(['paid'])
      const ofJetton = await shop.open({ asset, amount: '1', reference: `2${reference.slice(2)}` })
      await other.pay(await ofJetton.tonConnect({ sender: other.address.toString() }))
      expect(await shop.look()).toEqual(['paid'])
    },
  )

  it('S98 is not paid by an older payment when it was chosen and used before', async () => {
    const shop = await openInvoices()
    const payer = await shop.payer()
    const wallet = shop.merchant.address.toString({ bounceable: false })
    const given = { wallet, asset: 'TON', amount: '1', reference: 'order-17' } as const
    const older = await createInvoice(given)
    await payer.pay(older.link)
    // Within the period that each run scans again.
    await shop.clock.advance(300_000)
    const invoice = await shop.open(given)
    expect(await shop.look()).toEqual(['unverified'])
    expect(shop.events).toEqual(['unverified order-17 older'])
    await payer.pay(invoice.link)
    expect(await shop.look()).toEqual(['paid'])
  })
})

describe('the wallet of a payer', () => {
  it('refuses what a wallet app would refuse', async () => {
    const shop = await openInvoices()
    const [payer, other] = [await shop.payer(), await shop.payer()]
    const invoice = await shop.open({ asset: 'TON', amount: '1' })
    const request = await invoice.tonConnect({ sender: payer.address.toString() })
    await expect(other.pay(request)).rejects.toThrow(
      `expected a request for ${other.address.toString()}; received one for ${request.from}`,
    )
    await expect(payer.pay({ ...request, validUntil: START_MS / 1000 })).rejects.toThrow(
      `the payment was valid until ${START_MS / 1000}; the chain's time is ${START_MS / 1000}`,
    )
    await expect(payer.pay('https://app.example/pay')).rejects.toThrow(
      'expected ton://transfer/<address>?amount=…; received https://app.example/pay',
    )
    const { link } = await shop.open({ asset: payer.address.toString(), amount: '1', decimals: 6 })
    await expect(payer.pay(link)).rejects.toThrow('expected the address of a jetton master')
    expect(await shop.look()).toEqual([])
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
      const { buyer, usdt, urls } = simulator
      const transfers = createTransferClient({ baseUrl: urls.gateway, apiKey: 'key' })
      const asset = ticker === 'TON' ? 'TON' : usdt.master.toString()
      const sender = buyer.address.toString()
      const create = () => transfers.create({ rawAmount: 2_000_000n, asset, senderAddr: sender })

      const first = await create()
      orders.add(first.order)
      await buyer.pay(first.link)
      const { reference } = first.order
      expect(await calls(1)).toMatchObject([{ kind: 'paid', reference }])

      const second = await create()
      orders.add(second.order)
      await buyer.pay(await second.tonConnect({ sender: buyer.address.toRawString() }))
      expect(await calls(2)).toMatchObject([
        { kind: 'paid' },
        { kind: 'paid', reference: second.order.reference },
      ])
    },
  )
})
