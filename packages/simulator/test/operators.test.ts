import { beginCell, comment, internal, toNano } from '@ton/core'
import { createOperator, type Operator, type Refund } from '@tonplug/core/operator'
import { describe, expect, it } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>
type Wallet = Awaited<ReturnType<Shop['payer']>>
const ANN = { by: 'ann@shop.example' }

function operatorOf({ payments, v3 }: Pick<Shop, 'payments' | 'v3'>) {
  return createOperator({ payments, v3 })
}

type Request = Extract<Refund, { state: 'proposed' }>['request']

const UNPROVEN: InvoiceShopOptions = { payments: { verifyOnChain: undefined } }

/** Sends coins as an exchange does. */
function withdraw(shop: Shop, exchange: Wallet, value: bigint, text = '') {
  const body = text === '' ? beginCell().endCell() : comment(text)
  return exchange.send([internal({ to: shop.merchant.address, value, bounce: false, body })])
}

/** Opens an invoice of two coins, which an exchange pays without a comment. */
async function openWithdrawn(options: InvoiceShopOptions = {}) {
  const shop = await openInvoices(options)
  const { order } = await shop.open({ asset: 'TON', amount: '2' })
  const exchange = await shop.payer()
  await withdraw(shop, exchange, order.rawAmount)
  expect(await shop.look()).toEqual(['unknown_order'])
  const [listed] = await operatorOf(shop).list()
  return { shop, order, exchange, txHash: listed!.txHash }
}

/** Assigns money to an order, and returns the decision after the proof. */
async function assign(
  shop: Shop,
  transactionHash: string,
  reference: string,
  note: Parameters<Operator['assign']>[1] = ANN,
) {
  await operatorOf(shop).assign({ transactionHash, reference }, note)
  return shop.takeDecisions(1)
}

describe('operator.assign', () => {
  it.each([
    ['with a proof', {}],
    ['without a proof', UNPROVEN],
  ])('S99 credits a withdrawal to its order, %s', async (_, options) => {
    const { shop, order, txHash } = await openWithdrawn(options)
    const { reference } = order
    const base64 = Buffer.from(txHash, 'hex').toString('base64')
    const who = { by: 'ann@shop.example', reason: 'ticket 7' }
    expect(await assign(shop, base64, reference, who)).toEqual(['paid'])
    expect(shop.paid).toEqual([reference])
    expect(await shop.orders.find({ reference })).toMatchObject({
      status: 'completed',
      payment: { txHash, source: 'operator', rawAmount: order.rawAmount },
    })
    expect(await operatorOf(shop).list()).toMatchObject([
      { action: 'none', reference, source: 'operator', decision: { kind: 'paid' }, ...who },
      { action: 'none', reference: '', source: 'chain', decision: { kind: 'unknown_order' } },
    ])
    // Safe to repeat, and the watcher does not list it again.
    expect(
      await operatorOf(shop).assign({ transactionHash: txHash, reference }, ANN),
    ).toMatchObject({ decision: { kind: 'duplicate' } })
    expect(await shop.look()).toEqual([])
    expect(shop.paid).toEqual([reference])
  })

  it.each([
    ['with a proof', {}],
    ['without a proof', UNPROVEN],
  ])('credits one order only, %s', async (_, options) => {
    const { shop, order, txHash } = await openWithdrawn(options)
    const second = await shop.open({ asset: 'TON', amount: '2' })
    expect(await assign(shop, txHash, order.reference)).toEqual(['paid'])
    expect(await assign(shop, txHash, second.order.reference)).toEqual(['unverified'])
    expect(shop.events).toContain(`unverified ${second.order.reference} reused`)
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['completed', 'pending'])
    const [listed] = await operatorOf(shop).list({ reference: second.order.reference })
    expect(listed).toMatchObject({ action: 'none', decision: { reason: 'reused' } })
  })

  it('credits one of two orders that operators choose at once, for one handler run', async () => {
    const { shop, order, txHash } = await openWithdrawn(UNPROVEN)
    const second = await shop.open({ asset: 'TON', amount: '2' })
    const references = [order.reference, second.order.reference]
    const calls = references.flatMap((reference) => [reference, reference, reference])
    const decisions = await Promise.all(
      calls.map((reference) =>
        operatorOf(shop).assign({ transactionHash: txHash, reference }, ANN),
      ),
    )
    expect(decisions.filter(({ decision }) => decision?.kind === 'paid')).toHaveLength(1)
    await shop.clock.advance(0)
    expect(shop.paid).toHaveLength(1)
    const statuses = shop.orders.all().map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(['completed', 'pending'])
  })

  it('applies the rules, and decides again what was rejected before', async () => {
    const { shop, txHash } = await openWithdrawn(UNPROVEN)
    const { order } = await shop.open({ asset: 'TON', amount: '3' })
    expect(await assign(shop, txHash, order.reference)).toEqual(['amount_mismatch'])
    expect(shop.events).toContain(`underpaid ${order.reference} ${toNano(2)}`)
    // The shop lowers the price.
    shop.orders.replace({ ...order, rawAmount: toNano(2) })
    expect(await assign(shop, txHash, order.reference)).toEqual(['paid'])
    expect(shop.paid).toEqual([order.reference])
  })

  it('credits halves only where a function of the shop accepts them', async () => {
    const shop = await openInvoices({
      payments: { amounts: ({ expected, received }) => received * 2n >= expected },
    })
    const { order } = await shop.open({ asset: 'TON', amount: '4' })
    const exchange = await shop.payer()
    await withdraw(shop, exchange, toNano(2))
    await withdraw(shop, exchange, toNano(2))
    expect(await shop.look()).toEqual(['unknown_order', 'unknown_order'])
    const hashes = (await operatorOf(shop).list()).map(({ txHash }) => txHash)
    expect(await assign(shop, hashes[0]!, order.reference)).toEqual(['paid'])
    expect(await assign(shop, hashes[1]!, order.reference)).toEqual(['extra_payment'])
  })

  it('credits a payment that names another order to the right one', async () => {
    const shop = await openInvoices()
    const wrong = await shop.open({ asset: 'TON', amount: '5' })
    const right = await shop.open({ asset: 'TON', amount: '2' })
    await withdraw(shop, await shop.payer(), toNano(2), wrong.order.reference)
    expect(await shop.look()).toEqual(['amount_mismatch'])
    const [{ txHash } = { txHash: '' }] = await operatorOf(shop).list()
    expect(await assign(shop, txHash, right.order.reference)).toEqual(['paid'])
    // The price of the other order changes, and its report is decided again.
    shop.orders.replace({ ...wrong.order, rawAmount: toNano(2) })
    expect(await operatorOf(shop).reprocess({ reference: wrong.order.reference }, ANN)).toBe(1)
    await shop.clock.advance(10_000)
    expect(await shop.takeDecisions(1)).toEqual(['unverified'])
    expect(shop.paid).toEqual([right.order.reference])
    expect(shop.orders.all().map(({ status }) => status)).toEqual(['pending', 'completed'])
  })

  it('rejects a transaction without a report, and one that brought no money', async () => {
    const { shop, order, txHash } = await openWithdrawn()
    const unknown = 'ab'.repeat(32)
    await expect(
      operatorOf(shop).assign({ transactionHash: unknown, reference: order.reference }, ANN),
    ).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
      message: expect.stringContaining('operator.list()'),
    })
    const key = { reference: order.reference, merchant: 'other' }
    // Money without an order belongs to no merchant, and no order has this key.
    expect(await operatorOf(shop).assign({ transactionHash: txHash, ...key }, ANN)).toMatchObject({
      decision: { kind: 'unknown_order' },
    })
    await expect(
      operatorOf(shop).assign({ transactionHash: txHash, reference: '' }, ANN),
    ).rejects.toMatchObject({
      details: { option: expect.stringContaining('reference') },
    })
  })
})

/** Proposes a refund for the merchant's wallet. */
function refund(shop: Shop, transactionHash: string, by = ANN.by) {
  return operatorOf(shop).refund({ transactionHash }, { by })
}

/** Signs a request with the merchant's wallet, which gets coins for the fees. */
async function sign(shop: Shop, request: Request) {
  await shop.chain.fund(shop.merchant.address, toNano(1))
  return shop.merchant.pay(request)
}

/** Returns the request of a proposal. */
async function requestOf(shop: Shop, txHash: string): Promise<Request> {
  const proposed = await refund(shop, txHash)
  if (proposed.state !== 'proposed') throw new Error(`the refund is ${proposed.state}`)
  return proposed.request
}

describe('operator.refund', () => {
  it('S99 returns a withdrawal to its payer, and follows the transfer', async () => {
    const { shop, order, exchange, txHash } = await openWithdrawn()
    const proposed = await refund(shop, txHash, 'ann@shop.example')
    expect(proposed).toMatchObject({
      state: 'proposed',
      request: {
        validUntil: shop.chain.now + 600,
        network: '-239',
        from: shop.merchant.address.toRawString(),
        messages: [{ address: exchange.address.toString(), amount: `${order.rawAmount}` }],
      },
    })
    if (proposed.state !== 'proposed') return
    expect(JSON.parse(JSON.stringify(proposed))).toEqual(proposed)
    const before = (await shop.chain.account(exchange.address)).balance
    const { transaction } = await sign(shop, proposed.request)
    const expected = { state: 'refunded', txHash: transaction.hash().toString('hex') }
    expect(await refund(shop, txHash)).toEqual(expected)
    const after = (await shop.chain.account(exchange.address)).balance
    expect(after - before).toBeGreaterThan(order.rawAmount - toNano('0.01'))
    // Long after the end of the proposal.
    await shop.pass(86_400)
    expect(await refund(shop, txHash)).toEqual(expected)
    expect(await operatorOf(shop).list()).toMatchObject([
      { action: 'none', decision: { kind: 'refund', attempt: 1 }, by: 'ann@shop.example' },
      { action: 'none', decision: { kind: 'unknown_order' } },
    ])
  })

  it('returns jettons from the jetton wallet of the merchant', async () => {
    const shop = await openInvoices()
    const asset = shop.usdt.master.toString()
    const invoice = await shop.open({ asset, amount: '2' })
    const payer = await shop.payer()
    await payer.pay(invoice.link)
    await payer.pay(invoice.link)
    expect((await shop.look()).toSorted()).toEqual(['extra_payment', 'paid'])
    const [extra] = await operatorOf(shop).list({ decision: 'extra_payment' })
    expect(extra).toMatchObject({ action: 'refund' })
    const request = await requestOf(shop, extra!.txHash)
    expect(request.messages).toMatchObject([
      { address: shop.usdt.walletOf(shop.merchant.address).toString(), amount: '100000000' },
    ])
    await sign(shop, request)
    expect(await refund(shop, extra!.txHash)).toMatchObject({ state: 'refunded' })
    expect(await shop.usdt.balanceOf(payer.address)).toBe(998_000_000n)
    // The payment of the completed order stays.
    const [paid] = await operatorOf(shop).list({ decision: 'paid' })
    expect(await refund(shop, paid!.txHash)).toMatchObject({ state: 'rejected' })
  })

  it.each(['TON', 'USDT'])(
    'S113 returns a payment in %s of an order that was settled in another way',
    async (asset) => {
      const shop = await openInvoices(UNPROVEN)
      const jetton = shop.usdt.master.toString()
      const { order, link } = await shop.open({
        asset: asset === 'TON' ? asset : jetton,
        amount: '2',
      })
      shop.orders.replace({ ...order, status: 'completed' })
      const payer = await shop.payer()
      await payer.pay(link)
      expect(await shop.look()).toEqual(['extra_payment'])
      expect(shop.events).toEqual([`extra ${order.reference}`])
      expect(shop.paid).toEqual([])
      const [listed] = await operatorOf(shop).list()
      expect(listed).toMatchObject({ action: 'refund', reference: order.reference })
      await sign(shop, await requestOf(shop, listed!.txHash))
      expect(await refund(shop, listed!.txHash)).toMatchObject({ state: 'refunded' })
      expect(await operatorOf(shop).list({ decision: 'extra_payment' })).toMatchObject([
        { action: 'none' },
      ])
    },
  )

  it('gives the request to one of many calls, until it has expired unsigned', async () => {
    const { shop, txHash } = await openWithdrawn()
    const results = await Promise.all(Array.from({ length: 10 }, () => refund(shop, txHash)))
    const states = results.map(({ state }) => state)
    expect(states.toSorted()).toEqual(['proposed', ...Array<string>(9).fill('waiting')])
    const first = results.find(({ state }) => state === 'proposed')
    // Until the index has all blocks that can have it.
    await shop.pass(600)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'waiting' })
    await shop.pass(301)
    const second = await requestOf(shop, txHash)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'waiting' })
    if (first?.state !== 'proposed') throw new Error('no proposal')
    // The wallet contract rejects the first one now.
    expect(first.request.validUntil).toBeLessThan(shop.chain.now)
    await sign(shop, second)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'refunded' })
  })

  it('finds a refund that was signed at the last moment', async () => {
    const { shop, txHash } = await openWithdrawn()
    const request = await requestOf(shop, txHash)
    await shop.pass(599)
    await sign(shop, request)
    await shop.pass(3600)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'refunded' })
  })

  it('does not conclude anything from an index that is behind', async () => {
    const { shop, txHash } = await openWithdrawn()
    const request = await requestOf(shop, txHash)
    const indexed = shop.chain.blocks.length
    await sign(shop, request)
    await shop.pass(3600)
    shop.chain.v3Server.lagBlocks = shop.chain.blocks.length - indexed
    expect(await refund(shop, txHash)).toMatchObject({ state: 'waiting' })
    shop.chain.v3Server.lagBlocks = 0
    expect(await refund(shop, txHash)).toMatchObject({ state: 'refunded' })
  })

  it.each([undefined, ''])(
    'does not repeat a refund whose transaction the index names %j',
    async (hash) => {
      const { shop, txHash } = await openWithdrawn()
      await sign(shop, await requestOf(shop, txHash))
      await shop.pass(1000)
      const { payments } = shop
      const read: (...given: Parameters<typeof shop.v3.messages>) => object = async (...given) => {
        const found = await shop.v3.messages(...given)
        const hidden = found.messages.map((one) => ({ ...one, out_msg_tx_hash: hash }))
        return { ...found, messages: hidden }
      }
      const v3 = { ...shop.v3, messages: read as typeof shop.v3.messages }
      const result = await operatorOf({ payments, v3 }).refund({ transactionHash: txHash }, ANN)
      expect(result).toMatchObject({ state: 'waiting' })
    },
  )

  it('ignores an imitation of the refund by another wallet', async () => {
    const { shop, exchange, txHash } = await openWithdrawn()
    await requestOf(shop, txHash)
    const body = comment(`refund ${txHash}`)
    await shop.merchant.send([]).catch(() => undefined)
    await (await shop.payer()).send([internal({ to: exchange.address, value: 2n, body })])
    expect(await refund(shop, txHash)).toMatchObject({ state: 'waiting' })
    await shop.pass(1000)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'proposed' })
  })

  it('proposes again when the transfer came back', async () => {
    const shop = await openInvoices()
    const asset = shop.usdt.master.toString()
    const invoice = await shop.open({ asset, amount: '2' })
    const payer = await shop.payer()
    await payer.pay(invoice.link)
    await payer.pay(invoice.link)
    expect((await shop.look()).toSorted()).toEqual(['extra_payment', 'paid'])
    const [{ txHash } = { txHash: '' }] = await operatorOf(shop).list({ decision: 'extra_payment' })
    const request = await requestOf(shop, txHash)
    // The merchant has moved the jettons in the meantime.
    const { address: from } = shop.merchant
    const moved = { from, to: payer.address, response: from, amount: 4_000_000n }
    await shop.chain.fund(shop.merchant.address, toNano(1))
    await shop.merchant.send([shop.usdt.transferMessage({ ...moved, forwardCoins: 0n })])
    await sign(shop, request)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'waiting' })
    await shop.pass(1000)
    await shop.usdt.mint(shop.merchant.address, 2_000_000n)
    await sign(shop, await requestOf(shop, txHash))
    expect(await refund(shop, txHash)).toMatchObject({ state: 'refunded' })
  })

  it('excludes the payment from every order', async () => {
    const { shop, order, txHash } = await openWithdrawn()
    await requestOf(shop, txHash)
    expect(await assign(shop, txHash, order.reference)).toEqual(['unverified'])
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
    // An order with a wrong price, corrected after the proposal.
    const wrong = await shop.open({ asset: 'TON', amount: '3' })
    await withdraw(shop, await shop.payer(), toNano(2), wrong.order.reference)
    expect(await shop.look()).toEqual(['amount_mismatch'])
    const [mismatch] = await operatorOf(shop).list({ decision: 'amount_mismatch' })
    await requestOf(shop, mismatch!.txHash)
    shop.orders.replace({ ...wrong.order, rawAmount: toNano(2) })
    expect(await operatorOf(shop).reprocess({ decision: 'amount_mismatch' }, ANN)).toBe(1)
    await shop.clock.advance(10_000)
    expect(await shop.takeDecisions(1)).toEqual(['unverified'])
    expect(shop.paid).toEqual([])
  })

  it('is rejected while the payment can still complete its order', async () => {
    const { shop, order, txHash } = await openWithdrawn(UNPROVEN)
    const { name, internals } = shop.payments
    const { inbox } = internals
    // As after a crash between the claim and the transition.
    const { reference } = order
    const [{ reportId } = { reportId: '' }] = await operatorOf(shop).list()
    const { payments } = (await inbox.reports.find(reportId))!
    await inbox.credits.claim({ name, merchant: '', reference, payments })
    expect(await refund(shop, txHash)).toMatchObject({ state: 'rejected' })
    expect(await assign(shop, txHash, reference)).toEqual(['paid'])
    expect(await refund(shop, txHash)).toMatchObject({ state: 'rejected' })
  })

  it('returns a second payment that was decided at the same moment as the first', async () => {
    const { shop, order, txHash } = await openWithdrawn(UNPROVEN)
    const { name, internals } = shop.payments
    const { inbox } = internals
    // Both had claimed their money for the order; one completed it.
    const { reference } = order
    const [{ reportId } = { reportId: '' }] = await operatorOf(shop).list()
    const { payments } = (await inbox.reports.find(reportId))!
    await inbox.credits.claim({ name, merchant: '', reference, payments })
    await withdraw(shop, await shop.payer(), toNano(2), reference)
    expect(await shop.look()).toEqual(['paid'])
    expect(await assign(shop, txHash, reference)).toEqual(['extra_payment'])
    expect(await refund(shop, txHash)).toMatchObject({ state: 'proposed' })
  })

  it('is rejected for a webhook that names another payer or amount than the chain', async () => {
    const { shop, txHash, exchange } = await openWithdrawn(UNPROVEN)
    const [listed] = await operatorOf(shop).list()
    const attacker = await shop.payer()
    const forged = {
      senderAddr: attacker.address.toRawString(),
      rawAmount: '200000000000',
    }
    for (const [field, value] of Object.entries(forged)) {
      const other = await openInvoices()
      const transfer = { ...listed!.transfer!, reference: 'order-1', [field]: value }
      const payload = { event: 'transfer.completed', timestamp: '', data: transfer }
      const rawBody = JSON.stringify(payload)
      await other.payments.submit({ source: 'webhook', rawBody, transfer })
      const { v3 } = shop
      const { payments } = other
      const result = await operatorOf({ payments, v3 }).refund({ transactionHash: txHash }, ANN)
      expect(result).toMatchObject({ state: 'rejected' })
    }
    expect(await refund(shop, txHash)).toMatchObject({
      request: { messages: [{ address: exchange.address.toString() }] },
    })
  })
})
