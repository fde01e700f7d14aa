import { Cell, internal, toNano } from '@ton/core'
import type { Order, TransferData } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { serveChain, type ServedChain } from '../../toncenter/chain/served-chain.js'
import { walletV4 } from '@tonplug/simulator'
import { bodyOf, claimOf, createPayer, deployJetton, orderFor, type Payer } from './payer.js'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'
import { payWithForgedJetton } from './forged-jetton.js'
import { openProofShop, type ProofShop } from './proof-shop.js'

const ours = walletV4(90).wallet.address
const theirs = walletV4(91).wallet.address
const wallets = [ours.toString()]

interface World extends ServedChain {
  payer: Payer
  /** Opens the shop that waits for these transfers. @param orders replace those that the transfers pay */
  open: (transfers: readonly TransferData[], orders?: readonly Order[]) => ProofShop
}

async function startWorld(): Promise<World> {
  const served = await serveChain()
  const payer = await createPayer(served.chain, 80)
  return {
    ...served,
    payer,
    open: (transfers, orders = transfers.map(orderFor)) =>
      openProofShop({ url: served.v3Server.url, orders, wallets }),
  }
}

/** Returns the order's status, and the handlers' runs. */
async function outcomeOf(shop: ProofShop, transfer: TransferData): Promise<object> {
  await shop.decide(transfer)
  await shop.clock.advance(0)
  const order = await shop.orders.find({ reference: transfer.reference })
  return {
    status: order?.status,
    shipped: shop.shipped,
    unverified: shop.unverified.map(({ reason }) => reason),
  }
}

/** Returns the outcome of a report that is unverified for this reason. */
function refused(reason: string): object {
  return { status: 'pending', shipped: [], unverified: [reason] }
}

describe('a payment that matches its webhook', () => {
  it('is proven, and its order is fulfilled', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: toNano('10.5') })
    const shop = open([paid])
    expect(await shop.decide(paid)).toMatchObject({
      kind: 'paid',
      received: '10500000000',
      proof: { credited: '10500000000' },
    })
    await shop.clock.advance(0)
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.unverified).toEqual([])
  })

  it('is proven by any transaction of its route, in any encoding', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const last = chain.transactions.at(-1)?.transaction.hash() ?? Buffer.alloc(0)
    const shop = open([paid])
    const respelt: TransferData = {
      ...paid,
      txHash: last.toString('base64url'),
      traceId: Buffer.from(paid.traceId, 'base64').toString('hex').toUpperCase(),
      bodyBase64Hash: paid.bodyBase64Hash.replaceAll('+', '-').replaceAll('/', '_'),
    }
    expect(await shop.decide(respelt)).toMatchObject({ kind: 'paid' })
  })

  it('is proven by a report of the gateway without sender and trace', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const shop = open([paid])
    const transfer = { ...paid, senderAddr: '', traceId: '' }
    const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
    const rawBody = JSON.stringify(payload)
    expect(await shop.payments.submit({ source: 'gateway', rawBody, transfer })).toMatchObject({
      kind: 'verifying',
    })
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid' })
    expect(shop.unverified).toEqual([])
  })

  it('is proven in a jetton by the jetton master and the jetton wallet', async () => {
    const { payer, chain, v3Server, open } = await startWorld()
    v3Server.indexesJettons = false
    const jetton = await deployJetton(chain, payer)
    await jetton.mint(payer.address, 1_000_000n)
    const paid = await jetton.pay(payer, { reference: 'order-1', to: ours, amount: 250_000n })
    const shop = open([paid])
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid', proof: { credited: '250000' } })
    expect(v3Server.requests.map(({ path }) => path)).toEqual([
      '/traces',
      '/runGetMethod',
      '/runGetMethod',
    ])
  })
})

describe('a signed webhook with a false report', () => {
  it('is unverified when it is wrong about the amount, by one nanocoin', async () => {
    const { payer, open } = await startWorld()
    for (const [reference, value] of [
      ['less', 9_999_999_999n],
      ['more', 10_000_000_001n],
    ] as const) {
      const paid = await payer.pay({ reference, to: ours, value })
      const lie = { ...paid, rawAmount: '10000000000', amount: '10' }
      const shop = open([lie])
      expect(await outcomeOf(shop, lie)).toEqual(refused('other_amount'))
    }
  })

  it('is unverified when it is wrong about the recipient', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: theirs, value: 5n })
    const lie = { ...paid, recipientAddr: ours.toString() }
    const shop = open([lie])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_recipient'))
  })

  it('is unverified when it is wrong about the sender', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const lie = { ...paid, senderAddr: theirs.toString() }
    const shop = open([lie])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_sender'))
  })

  it('S33 is unverified when it is wrong about the master of a jetton of the same name', async () => {
    const { payer, chain, open } = await startWorld()
    const real = await deployJetton(chain, payer)
    await real.mint(payer.address, 1n)
    const forger = await createPayer(chain, 81)
    const forged = await deployJetton(chain, forger)
    await forged.mint(forger.address, 1_000_000n)
    const paid = await forged.pay(forger, { reference: 'order-1', to: ours, amount: 250_000n })
    const lie = { ...paid, asset: real.master, assetTicker: 'USDT' }
    const shop = open([lie])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_asset'))
  })

  it('S93 is unverified with a fake jetton wallet that the index attributes to the genuine master', async () => {
    const { payer, chain, v3Server } = await startWorld()
    const { genuine, paid, attribute } = await payWithForgedJetton(chain, payer)
    const lie = { ...paid, asset: genuine.master }
    const driven = createDrivenClock()
    const shop = openProofShop({
      url: v3Server.url,
      orders: [orderFor(lie)],
      wallets,
      driven,
      fetch: attribute(driven.fetch),
    })
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_asset'))
    expect(v3Server.requests.map(({ path }) => path)).toContain('/runGetMethod')
  })

  it('S93 is unverified with any jetton wallet, while the jetton master cannot be called', async () => {
    const { payer, chain, v3Server, open } = await startWorld()
    const jetton = await deployJetton(chain, payer)
    await jetton.mint(payer.address, 1_000_000n)
    const paid = await jetton.pay(payer, { reference: 'order-1', to: ours, amount: 250_000n })
    const other = await jetton.pay(payer, { reference: 'order-2', to: ours, amount: 250_000n })
    v3Server.fault = ({ path }) =>
      path === '/runGetMethod' ? { status: 403, body: '{"error":"no"}' } : undefined
    const shop = open([paid, other])
    expect(await outcomeOf(shop, paid)).toEqual(refused('unreachable'))
    v3Server.fault = undefined
    expect(await shop.decide(other)).toMatchObject({ kind: 'paid' })
  })

  it('S93 is unverified with a jetton whose master is not a jetton master', async () => {
    const { payer, chain, open } = await startWorld()
    const jetton = await deployJetton(chain, payer)
    await jetton.mint(payer.address, 1_000_000n)
    const paid = await jetton.pay(payer, { reference: 'order-1', to: ours, amount: 250_000n })
    const lie = { ...paid, asset: payer.address.toString() }
    expect(await outcomeOf(open([lie]), lie)).toEqual(refused('unknown_asset'))
  })

  it('S82 is unverified with a payment that is older than its order, whatever date the webhook reports', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const createdAt = new Date((chain.now + 120) * 1000)
    const lie = { ...paid, date: new Date((chain.now + 240) * 1000).toISOString() }
    const order = { ...orderFor(lie), createdAt }
    expect(await outcomeOf(open([lie], [order]), lie)).toEqual(refused('older'))
    // The hash of an empty body binds nothing.
    const empty = await payer.pay({ reference: 'order-2', to: ours, value: 5n, body: Cell.EMPTY })
    const { bodyBase64Hash } = empty
    const emptyOrder = { ...orderFor(empty), createdAt, bodyBase64Hash }
    expect(await outcomeOf(open([empty], [emptyOrder]), empty)).toEqual(refused('older'))
  })

  it('S82 is unverified unless the body of the message binds the older payment to the order', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const createdAt = new Date((chain.now + 120) * 1000)
    const { bodyBase64Hash } = paid
    const shop = open([paid], [{ ...orderFor(paid), createdAt, bodyBase64Hash }])
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid' })
  })

  it('is unverified when it is wrong about the kind of asset, either way', async () => {
    const { payer, chain, open } = await startWorld()
    const jetton = await deployJetton(chain, payer)
    await jetton.mint(payer.address, 1_000_000n)
    const inJettons = await jetton.pay(payer, { reference: 'coins', to: ours, amount: 5n })
    const inCoins = await payer.pay({ reference: 'jettons', to: ours, value: 5n })
    for (const lie of [
      { ...inJettons, asset: 'TON', amount: '0.000000005' },
      { ...inCoins, asset: jetton.master },
    ]) {
      const shop = open([lie])
      expect(await outcomeOf(shop, lie)).toEqual(refused('other_asset'))
    }
  })

  it('S55 is unverified when it is about money that bounced', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: toNano(1), bounce: true })
    const poor = await deployJetton(chain, payer)
    await poor.mint(payer.address, 10n)
    const jettons = await poor.pay(payer, { reference: 'order-2', to: ours, amount: 11n })
    for (const lie of [paid, jettons]) {
      const shop = open([lie])
      expect(await outcomeOf(shop, lie)).toEqual(refused('bounced'))
    }
  })

  it('S55 is unverified except for a payment to an undeployed wallet, whose transaction is aborted', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    expect(chain.transactions.at(-1)?.transaction.description).toMatchObject({ aborted: true })
    expect(await open([paid]).decide(paid)).toMatchObject({ kind: 'paid' })
  })

  it('is unverified with a transaction of another payer', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const stranger = await createPayer(chain, 82)
    const foreign = await stranger.pay({ reference: 'foreign', to: ours, value: 5n })
    const { txHash, traceId } = foreign
    // With the trace of the transaction, with that of the payment, and with an unknown trace.
    for (const [lie, reason] of [
      [{ ...paid, txHash, traceId }, 'other_message'],
      [{ ...paid, txHash }, 'other_trace'],
      [{ ...paid, traceId }, 'other_trace'],
      [{ ...paid, bodyBase64Hash: foreign.bodyBase64Hash }, 'other_message'],
    ] as const) {
      const shop = open([lie])
      expect(await outcomeOf(shop, lie)).toEqual(refused(reason))
    }
  })

  it('is unverified with a payment of another order', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const expected = bodyOf('order-1').hash().toString('base64')
    const lie = { ...paid, reference: 'order-2' }
    const shop = open([lie], [{ ...orderFor(lie), bodyBase64Hash: expected.replace(/^./, 'A') }])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_message'))
    const honest = open([paid], [{ ...orderFor(paid), bodyBase64Hash: expected }])
    expect(await honest.decide(paid)).toMatchObject({ kind: 'paid' })
  })

  it('S82 is unverified with a transaction that has paid another order, by any of its hashes', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const txHash = chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
    const again = { ...paid, reference: 'order-2' }
    const other = { ...paid, reference: 'order-3', txHash }
    const shop = open([paid, again, other])
    await shop.decide(paid)
    await shop.decide(again)
    await shop.decide(other)
    await shop.clock.advance(0)
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.unverified.map(({ reference, reason }) => [reference, reason])).toEqual([
      ['order-2', 'reused'],
      ['order-3', 'reused'],
    ])
  })

  it('S82 is unverified with two equal messages for three orders: each transaction pays one', async () => {
    const { payer, chain, open } = await startWorld()
    const body = bodyOf('twice')
    const twice = [0, 1].map(() => internal({ to: ours, value: 5n, bounce: false, body }))
    await payer.send(twice)
    const root = chain.transactions.at(-3)
    if (root === undefined) throw new TypeError('nothing was sent')
    const who = { sender: payer.address, to: ours, amount: 5n, body }
    const paid = claimOf(root, { reference: 'a', ...who })
    const hashes = [-2, -1].map(
      (index) => chain.transactions.at(index)?.transaction.hash().toString('hex') ?? '',
    )
    const transfers = [...hashes, ...hashes].map((txHash, index) => ({
      ...paid,
      txHash,
      reference: `order-${index}`,
    }))
    const shop = open(transfers)
    const kinds: string[] = []
    for (const one of transfers) kinds.push((await shop.decide(one)).kind)
    expect(kinds).toEqual(['paid', 'paid', 'unverified', 'unverified'])
  })

  it('does not block the true report that follows', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const elsewhere = Buffer.alloc(32, 7).toString('base64')
    const lies = [
      { senderAddr: theirs.toString() },
      { traceId: elsewhere },
      { bodyBase64Hash: elsewhere },
    ]
    for (const lie of lies) {
      const shop = open([paid])
      expect(await shop.decide({ ...paid, ...lie })).toMatchObject({ kind: 'unverified' })
      expect(await shop.decide(paid)).toMatchObject({ kind: 'paid' })
    }
  })

  it('is unverified with invalid hashes', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    for (const field of ['txHash', 'traceId', 'bodyBase64Hash'] as const) {
      const lie = { ...paid, [field]: '<HASH>' }
      const shop = open([lie])
      expect(await outcomeOf(shop, lie)).toEqual(refused('unreadable'))
    }
  })

  it('S55 is unverified with a transaction of another network', async () => {
    const elsewhere = await startWorld()
    const paid = await elsewhere.payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const here = await startWorld()
    await here.payer.pay({ reference: 'another', to: ours, value: 7n })
    const shop = here.open([paid])
    const since = shop.clock.nowMs()
    expect(await outcomeOf(shop, paid)).toEqual(refused('not_found'))
    expect(shop.clock.nowMs() - since).toBe(3_600_000)
    // Looked at less and less often.
    expect(here.v3Server.requests.length).toBeLessThan(30)
  })
})
