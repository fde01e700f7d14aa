import { comment, toNano, type Address } from '@ton/core'
import type { TransferData } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import type { SimulatedJetton, SimulatedWallet } from '@tonplug/simulator'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openInvoices, type InvoiceShopOptions } from './invoice-shop.js'

type Shop = Awaited<ReturnType<typeof openInvoices>>

const UNPROVEN: InvoiceShopOptions = { payments: { verifyOnChain: undefined } }

/** Opens a shop that has USDT, and a thief with a jetton of the same ticker. */
async function openShop(options: InvoiceShopOptions = {}) {
  const shop = await openInvoices(options)
  const thief = await shop.payer()
  const fake = await shop.chain.deployJetton({ name: 'Tether USD.' })
  await fake.mint(thief.address, 1_000_000_000n)
  const { address } = shop.merchant
  await shop.usdt.mint(address, 500_000_000n)
  const usdtWallet = shop.usdt.walletOf(address)
  return { shop, thief, fake, usdtWallet, fakeWallet: fake.walletOf(address) }
}

type Thieves = Awaited<ReturnType<typeof openShop>>

/** Sends jettons with a comment to the merchant. Returns the transfer as a webhook would report it. */
async function send(
  { shop }: Pick<Thieves, 'shop'>,
  payer: SimulatedWallet,
  { jetton, amount, text }: { jetton: SimulatedJetton; amount: bigint; text: string },
): Promise<TransferData> {
  const parties = { from: payer.address, to: shop.merchant.address, response: payer.address }
  const transfer = { ...parties, amount, forwardCoins: 1n, forwardPayload: comment(text) }
  const message = jetton.transferMessage(transfer)
  const { transaction } = await payer.send([message])
  return transferCompleted({
    reference: text,
    asset: jetton.master.toString(),
    rawAmount: `${amount}`,
    senderAddr: payer.address.toString(),
    recipientAddr: shop.merchant.address.toString(),
    bodyBase64Hash: message.body.hash().toString('base64'),
    txHash: transaction.hash().toString('hex'),
    traceId: '',
  }).data as TransferData
}

/** Pays an order in USDT with the thief's jetton. Returns the transaction for a refund. */
async function payWithFake(thieves: Thieves): Promise<string> {
  const { shop, thief, fake } = thieves
  const { order } = await shop.open({ asset: shop.usdt.master.toString(), amount: '2' })
  await send(thieves, thief, { jetton: fake, amount: 400_000_000n, text: order.reference })
  expect(await shop.look()).toEqual(['amount_mismatch'])
  const [listed] = await createOperator({ payments: shop.payments }).list({
    decision: 'amount_mismatch',
  })
  return listed!.txHash
}

function refund({ payments, v3 }: Shop, transactionHash: string, anyJetton = true) {
  const request = { transactionHash, anyJetton }
  return createOperator({ payments, v3 }).refund(request, { by: 'ann' })
}

/** Returns the addresses one after the other, and then the last one. */
function inTurn(...addresses: Address[]): () => Address {
  let next = 0
  return () => addresses[Math.min(next++, addresses.length - 1)]!
}

describe('the refund of a dishonest jetton', () => {
  it('S107 is sent from the wallet that was credited when the master names another wallet next', async () => {
    const thieves = await openShop()
    const { shop, fake, usdtWallet, fakeWallet } = thieves
    const txHash = await payWithFake(thieves)
    for (const honest of [0, 2, 3, 1]) {
      const answers = Array.from({ length: honest }, () => fakeWallet)
      fake.lies = { walletOf: inTurn(...answers, usdtWallet) }
      const result = await refund(shop, txHash)
      const addresses = result.state === 'proposed' ? result.request.messages : []
      // The index asks the master, then the shop's proof, which keeps the answer.
      expect(addresses.map(({ address }) => address)).toEqual(
        honest === 2 ? [fakeWallet.toString()] : [],
      )
      if (result.state !== 'proposed') continue
      await shop.chain.fund(shop.merchant.address, toNano(1))
      await shop.merchant.pay(result.request)
    }
    expect(await shop.usdt.balanceOf(shop.merchant.address)).toBe(500_000_000n)
  })

  it('S107 is not proposed when the master names the wallet of another jetton', async () => {
    const thieves = await openShop()
    const txHash = await payWithFake(thieves)
    thieves.fake.lies = { walletOf: () => thieves.usdtWallet }
    expect(await refund(thieves.shop, txHash)).toMatchObject({ state: 'rejected' })
  })

  it.each(['master', 'owner'])(
    'S107 is not proposed when the credited wallet names another %s',
    async (field) => {
      const thieves = await openShop()
      const { shop, fake } = thieves
      const txHash = await payWithFake(thieves)
      const truth = { owner: shop.merchant.address, master: fake.master }
      const lie = field === 'master' ? { master: shop.usdt.master } : { owner: shop.usdt.master }
      fake.lies = { walletData: () => ({ ...truth, ...lie }) }
      expect(await refund(shop, txHash)).toMatchObject({ state: 'waiting' })
      fake.lies = {}
      expect(await refund(shop, txHash)).toMatchObject({ state: 'proposed' })
    },
  )

  it('S107 asks master and wallet again for each proposal', async () => {
    const thieves = await openShop()
    const { shop, fake, usdtWallet } = thieves
    const txHash = await payWithFake(thieves)
    expect(await refund(shop, txHash)).toMatchObject({ state: 'proposed' })
    await shop.pass(1000)
    fake.lies = { walletOf: () => usdtWallet }
    expect(await refund(shop, txHash)).toMatchObject({ state: 'rejected' })
  })
})

describe('the refund of a jetton that no order asks for', () => {
  it('S107 needs an operator who insists in spite of the warning', async () => {
    const thieves = await openShop()
    const { shop, fakeWallet } = thieves
    const txHash = await payWithFake(thieves)
    const warning = expect.stringMatching(/no order asks for the jetton 0:[0-9a-f]{64}.*0\.1 TON/)
    expect(await refund(shop, txHash, false)).toEqual({ state: 'needs_confirmation', warning })
    expect(await createOperator({ payments: shop.payments }).list({ decision: 'refund' })).toEqual(
      [],
    )
    const proposed = await refund(shop, txHash)
    expect(proposed).toMatchObject({
      state: 'proposed',
      warning,
      request: { messages: [{ address: fakeWallet.toString(), amount: '100000000' }] },
    })
    // The open proposal can be followed without a confirmation; another one needs it again.
    expect(await refund(shop, txHash, false)).toMatchObject({ state: 'waiting' })
    await shop.pass(1000)
    expect(await refund(shop, txHash, false)).toMatchObject({ state: 'needs_confirmation' })
    const again = await refund(shop, txHash)
    if (again.state !== 'proposed') throw new Error(`the refund is ${again.state}`)
    await shop.chain.fund(shop.merchant.address, toNano(1))
    await shop.merchant.pay(again.request)
    await shop.pass(1000)
    expect(await refund(shop, txHash, false)).toMatchObject({ state: 'refunded' })
  })

  it('S107 needs no confirmation while an open order of the merchant asks for the jetton', async () => {
    const thieves = await openShop(UNPROVEN)
    const { shop, fake } = thieves
    const txHash = await payWithFake(thieves)
    const { order } = await shop.open({ asset: fake.master.toString(), amount: '1' })
    shop.orders.replace({ ...order, status: 'cancelled' })
    shop.orders.add({ ...order, merchant: 'other' })
    expect(await refund(shop, txHash, false)).toMatchObject({ state: 'needs_confirmation' })
    shop.orders.replace(order)
    expect(await refund(shop, txHash, false)).toMatchObject({ state: 'proposed' })
  })
})

/** The lies of a jetton that an order of the shop asks for, by their names. */
const LIES: Record<string, (thieves: Thieves) => SimulatedJetton['lies']> = {
  "names the shop's wallet of another jetton": ({ usdtWallet }) => ({ walletOf: () => usdtWallet }),
  'has a wallet that names another master': ({ shop }) => ({
    walletData: () => ({ owner: shop.merchant.address, master: shop.usdt.master }),
  }),
  'has a wallet that names another owner': ({ fake, thief }) => ({
    walletData: () => ({ owner: thief.address, master: fake.master }),
  }),
}

describe('an order that asks for a dishonest jetton', () => {
  it.each(Object.keys(LIES))('S107 is not paid on the chain when the jetton %s', async (name) => {
    const thieves = await openShop(UNPROVEN)
    const { shop, thief, fake } = thieves
    const { order } = await shop.open({ asset: fake.master.toString(), amount: '2' })
    await send(thieves, thief, { jetton: fake, amount: order.rawAmount, text: order.reference })
    fake.lies = LIES[name]!(thieves)
    expect(await shop.look()).toEqual([])
    expect(await shop.orders.find(order)).toMatchObject({ status: 'pending' })
    expect(shop.paid).toEqual([])
  })

  it.each(Object.keys(LIES))('S107 is not paid by a webhook when the jetton %s', async (name) => {
    const thieves = await openShop()
    const { shop, thief, fake } = thieves
    const { order } = await shop.open({ asset: fake.master.toString(), amount: '2' })
    const { reference, rawAmount } = order
    const transfer = await send(thieves, thief, {
      jetton: fake,
      amount: rawAmount,
      text: reference,
    })
    fake.lies = LIES[name]!(thieves)
    const rawBody = JSON.stringify({ event: 'transfer.completed', timestamp: '', data: transfer })
    await shop.payments.submit({ source: 'webhook', rawBody, transfer })
    await shop.clock.advance(2 * 3_600_000)
    expect(await shop.takeDecisions(1)).toEqual(['unverified'])
    expect(shop.paid).toEqual([])
  })
})

describe('an invoice in a dishonest jetton', () => {
  it("S107 does not ask the payer to send from the payer's wallet of another jetton", async () => {
    const { shop, thief: payer, fake } = await openShop()
    const invoice = await shop.open({ asset: fake.master.toString(), amount: '2' })
    fake.lies = { walletOf: (owner) => shop.usdt.walletOf(owner) }
    const sender = payer.address.toString()
    const refusal = { details: { option: 'asset' }, message: expect.stringContaining('names 0:') }
    await expect(invoice.tonConnect({ sender })).rejects.toMatchObject(refusal)
    fake.lies = { walletData: () => ({ owner: payer.address, master: shop.usdt.master }) }
    await expect(invoice.tonConnect({ sender })).rejects.toMatchObject(refusal)
    fake.lies = {}
    expect(await invoice.tonConnect({ sender })).toMatchObject({
      messages: [{ address: fake.walletOf(payer.address).toString() }],
    })
  })
})
