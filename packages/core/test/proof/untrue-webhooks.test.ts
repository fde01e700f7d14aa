import { internal, toNano } from '@ton/core'
import type { Order, TransferData } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { serveChain, type ServedChain } from '../chain/served-chain.js'
import { walletV4 } from '@tonplug/testing/simulator'
import { bodyOf, claimOf, createPayer, deployJetton, orderFor, type Payer } from './payer.js'
import { openProofShop, type ProofShop } from './proof-shop.js'

const ours = walletV4(90).wallet.address
const theirs = walletV4(91).wallet.address
const recipients = [ours.toString()]

interface World extends ServedChain {
  payer: Payer
  /** Opens the shop that waits for these transfers. @param orders in place of those that they pay */
  open: (transfers: readonly TransferData[], orders?: readonly Order[]) => ProofShop
}

async function startWorld(): Promise<World> {
  const served = await serveChain()
  const payer = await createPayer(served.chain, 80)
  return {
    ...served,
    payer,
    open: (transfers, orders = transfers.map(orderFor)) =>
      openProofShop({ url: served.v3Server.url, orders, recipients }),
  }
}

/** What became of the order of a transfer, and what somebody was told of it. */
async function outcomeOf(shop: ProofShop, transfer: TransferData): Promise<object> {
  await shop.decide(transfer)
  await shop.clock.advance(0)
  const order = await shop.orders.findByReference(transfer.reference)
  return {
    status: order?.status,
    shipped: shop.shipped,
    told: shop.told.map(({ reason }) => reason),
  }
}

/** Nothing was fulfilled, and the reason was told. */
function refused(reason: string): object {
  return { status: 'pending', shipped: [], told: [reason] }
}

describe('a payment that is as its webhook says', () => {
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
    expect(shop.told).toEqual([])
  })

  it('is proven by any transaction on its way, in any spelling', async () => {
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

  it('is proven by what it tells, when it was found where not all is told', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const shop = open([paid])
    const transfer = { ...paid, senderAddr: '', traceId: '' }
    expect(await shop.receiver.settleFound({ transfer, foundBy: 'gateway' })).toMatchObject({
      kind: 'verifying',
    })
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid' })
    expect(shop.told).toEqual([])
  })

  it('in a jetton is proven by the answer of its master', async () => {
    const { payer, chain, v3Server, open } = await startWorld()
    v3Server.tellsJettons = false
    const jetton = await deployJetton(chain, payer)
    await jetton.mint(payer.address, 1_000_000n)
    const paid = await jetton.pay(payer, { reference: 'order-1', to: ours, amount: 250_000n })
    const shop = open([paid])
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid', proof: { credited: '250000' } })
    expect(v3Server.requests.map(({ path }) => path)).toEqual(['/traces', '/runGetMethod'])
  })
})

describe('a signed webhook that lies is not fulfilled', () => {
  it('about the amount, by one nanocoin', async () => {
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

  it('about the recipient', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: theirs, value: 5n })
    const lie = { ...paid, recipientAddr: ours.toString() }
    const shop = open([lie])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_recipient'))
  })

  it('about the sender', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const lie = { ...paid, senderAddr: theirs.toString() }
    const shop = open([lie])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_sender'))
  })

  it('S33 about the master of a jetton of the same name', async () => {
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

  it('about the kind of asset, either way', async () => {
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

  it('S55 about money that bounced', async () => {
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

  it('S55 about a wallet that was not deployed tells the truth: aborted is no failure there', async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    expect(chain.transactions.at(-1)?.transaction.description).toMatchObject({ aborted: true })
    expect(await open([paid]).decide(paid)).toMatchObject({ kind: 'paid' })
  })

  it("with somebody else's transaction", async () => {
    const { payer, chain, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const stranger = await createPayer(chain, 82)
    const foreign = await stranger.pay({ reference: 'foreign', to: ours, value: 5n })
    const { txHash, traceId } = foreign
    // With the trace of the transaction, with that of the payment, and with a trace of nobody.
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

  it('with a payment that is real, and not the one of the order', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    const expected = bodyOf('order-1').hash().toString('base64')
    const lie = { ...paid, reference: 'order-2' }
    const shop = open([lie], [{ ...orderFor(lie), bodyBase64Hash: expected.replace(/^./, 'A') }])
    expect(await outcomeOf(shop, lie)).toEqual(refused('other_message'))
    const honest = open([paid], [{ ...orderFor(paid), bodyBase64Hash: expected }])
    expect(await honest.decide(paid)).toMatchObject({ kind: 'paid' })
  })

  it('with a transaction that has paid another order, by whichever of its hashes', async () => {
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
    expect(shop.told.map(({ reference, reason }) => [reference, reason])).toEqual([
      ['order-2', 'reused'],
      ['order-3', 'reused'],
    ])
  })

  it('with one of two equal messages for each order: each pays one', async () => {
    const { payer, chain, open } = await startWorld()
    const body = bodyOf('twice')
    const twice = [0, 1].map(() => internal({ to: ours, value: 5n, bounce: false, body }))
    await payer.send(twice)
    const root = chain.transactions.at(-3)
    if (root === undefined) throw new TypeError('nothing was sent')
    const who = { sender: payer.address, to: ours, amount: 5n, body }
    const paid = claimOf(root, { reference: 'a', ...who })
    const transfers = ['a', 'b', 'c'].map((reference) => ({ ...paid, reference }))
    const shop = open(transfers)
    const kinds: string[] = []
    for (const one of transfers) kinds.push((await shop.decide(one)).kind)
    expect(kinds).toEqual(['paid', 'paid', 'unverified'])
  })

  it('and does not stand in the way of the honest one that follows', async () => {
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

  it('with hashes that are none', async () => {
    const { payer, open } = await startWorld()
    const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
    for (const field of ['txHash', 'traceId', 'bodyBase64Hash'] as const) {
      const lie = { ...paid, [field]: '<HASH>' }
      const shop = open([lie])
      expect(await outcomeOf(shop, lie)).toEqual(refused('unreadable'))
    }
  })

  it('S55 with a transaction of another network', async () => {
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
