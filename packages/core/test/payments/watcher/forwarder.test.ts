import { readFileSync } from 'node:fs'
import { compileFunc } from '@ton-community/func-js'
import {
  Address,
  beginCell,
  Cell,
  comment,
  contractAddress,
  internal,
  type StateInit,
} from '@ton/core'
import { createPaymentVerifier } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPayer } from '../proof/payer.js'
import { SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient } from './paid-chain.js'

const PRICE = 1_000_000_000n
const body = gatewayBody(1)
let code: Cell

// The compiler is slow.
beforeAll(async () => {
  const file = new URL('forwarder.fc', import.meta.url)
  const sources = { 'forwarder.fc': readFileSync(file, 'utf8') }
  const result = await compileFunc({ targets: ['forwarder.fc'], sources })
  if (result.status === 'error') throw new Error(result.message)
  code = Cell.fromBase64(result.codeBoc)
})

/**
 * Returns a contract that forwards what it receives.
 * @param amount nanocoins; 0 forwards everything
 * @param note the body of its message
 */
function forwarder(amount: bigint, note = beginCell().endCell()) {
  const wallet = Address.parse(recipient)
  const data = beginCell().storeAddress(wallet).storeCoins(amount).storeRef(note).endCell()
  const init: StateInit = { code, data }
  return { address: contractAddress(0, init), init }
}

/** Opens a shop whose only order was paid through a forwarder. Returns also the gateway's report. */
async function openForwarded(sent: { passesOn: bigint; value: bigint; note?: Cell }) {
  const { passesOn, value, note } = sent
  const shop = await openPaidChain([orderOf('order-1', body)])
  const payer = await createPayer(shop.chain, 80)
  const { address: to, init } = forwarder(passesOn, note)
  const root = await payer.send([internal({ to, value, bounce: true, init, body })])
  await shop.wait(120)
  const hash = root.transaction.hash().toString('hex')
  const reported = transferCompleted({
    reference: 'order-1',
    amount: '1.0',
    rawAmount: `${PRICE}`,
    senderAddr: payer.address.toRawString(),
    recipientAddr: recipient,
    bodyBase64Hash: body.hash().toString('base64'),
    txHash: hash,
    traceId: hash,
  }).data
  const credited = (await shop.v3.transactions({ account: recipient, limit: 1 })).transactions[0]
  return { shop, payer, reported, credited: credited?.in_msg?.value }
}

describe('a payment through a contract that forwards it', () => {
  it('is found when the whole price arrives', async () => {
    const { shop, payer } = await openForwarded({ passesOn: PRICE, value: PRICE + 50_000_000n })
    expect(await shop.look()).toMatchObject({ decisions: { paid: 1 } })
    expect(shop.orders.all()[0]).toMatchObject({
      status: 'completed',
      payment: { rawAmount: PRICE, senderAddr: payer.address.toRawString(), source: 'chain' },
    })
    expect(shop.events).toEqual(['onPaid order-1 chain'])
    expect(await shop.look()).toMatchObject({ decisions: {} })
  })

  it('is found by the body of the payer’s message when the contract calls the wallet', async () => {
    const value = PRICE + 50_000_000n
    const { shop } = await openForwarded({ passesOn: PRICE, value, note: gatewayBody(2) })
    // In the list of what the wallet received it looks like the calls of other contracts.
    expect(await shop.look({ lookups: 0 })).toMatchObject({ decisions: {} })
    expect(await shop.look({ lookups: 1 })).toMatchObject({ decisions: { paid: 1 } })
    expect(shop.events).toEqual(['onPaid order-1 chain'])
  })

  it('is underpaid when fees were deducted from the price', async () => {
    const { shop, credited } = await openForwarded({ passesOn: 0n, value: PRICE })
    expect(credited).toBeLessThan(PRICE)
    expect(await shop.look()).toMatchObject({ decisions: { amount_mismatch: 1 } })
    expect(shop.events).toEqual(['onMismatch order-1 underpaid'])
  })

  it.each([
    ['the whole price', PRICE, PRICE + 50_000_000n],
    ['the price less fees', 0n, PRICE],
  ])('is proven with %s', async (_what, passesOn, value) => {
    const { shop, reported, credited } = await openForwarded({ passesOn, value })
    const proof = createPaymentVerifier({ v3: shop.v3 })
    const order = orderOf('order-1', body, { recipient })
    const { signal } = new AbortController()
    expect(await proof.verify({ transfer: reported, order }, { signal })).toMatchObject({
      kind: 'verified',
      payments: [{ amount: credited }],
    })
    // The gateway may name any of its transactions.
    const last = shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
    const other = { ...reported, txHash: last }
    expect(await proof.verify({ transfer: other, order }, { signal })).toMatchObject({
      kind: 'verified',
    })
  })

  it('is refuted when the money was forwarded to another recipient', async () => {
    const { shop, reported } = await openForwarded({ passesOn: PRICE, value: PRICE + 50_000_000n })
    const other = `0:${'ab'.repeat(32)}`
    const proof = createPaymentVerifier({ v3: shop.v3 })
    const order = orderOf('order-1', body, { recipient: other })
    const { signal } = new AbortController()
    const transfer = { ...reported, recipientAddr: other }
    expect(await proof.verify({ transfer, order }, { signal })).toMatchObject({
      kind: 'contradicted',
      reason: 'other_recipient',
    })
  })

  it('S94 pays the order that the message with the money names, not that of its cause', async () => {
    const orders = ['order-1', 'order-2'].map((reference) => {
      return { ...orderOf(reference, body), bodyBase64Hash: undefined }
    })
    const shop = await openPaidChain(orders)
    const payer = await createPayer(shop.chain, 80)
    const { address: to, init } = forwarder(PRICE, comment('order-2'))
    await shop.chain.fund(to, 2n * PRICE)
    await payer.send([internal({ to, value: 50_000_000n, init, body: comment('order-1') })])
    await shop.wait(10)
    await shop.look()
    expect(shop.events).toEqual(['onPaid order-2 chain'])
  })

  it('is a duplicate when its webhook arrives after it was found', async () => {
    const { shop, reported } = await openForwarded({ passesOn: PRICE, value: PRICE + 50_000_000n })
    await shop.look()
    const { body: rawBody, headers } = signPayload(transferCompleted(reported), SECRET)
    const answer = await shop.receiver.receive({ headers, rawBody })
    expect(answer.decision).toMatchObject({ kind: 'duplicate' })
  })
})
