import { readFileSync } from 'node:fs'
import { compileFunc } from '@ton-community/func-js'
import { Address, beginCell, Cell, contractAddress, internal, type StateInit } from '@ton/core'
import { createPaymentProof } from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { createPayer } from '../proof/payer.js'
import { SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient } from './paid-chain.js'

const PRICE = 1_000_000_000n
const body = gatewayBody(1)
let code: Cell

// A compiler has its own pace.
beforeAll(async () => {
  const file = new URL('forwarder.fc', import.meta.url)
  const sources = { 'forwarder.fc': readFileSync(file, 'utf8') }
  const result = await compileFunc({ targets: ['forwarder.fc'], sources })
  if (result.status === 'error') throw new Error(result.message)
  code = Cell.fromBase64(result.codeBoc)
}, 60_000)

/** A contract that passes on what it gets. @param amount nanocoins; 0 for all that came */
function forwarder(amount: bigint): { address: Address; init: StateInit } {
  const wallet = Address.parse(recipient)
  const data = beginCell().storeAddress(wallet).storeCoins(amount).endCell()
  const init = { code, data }
  return { address: contractAddress(0, init), init }
}

/** A shop whose only order was paid through a forwarder. @returns also what the gateway would tell of it */
async function openForwarded({ passesOn, value }: { passesOn: bigint; value: bigint }) {
  const shop = await openPaidChain([orderOf('order-1', body)])
  const payer = await createPayer(shop.chain, 80)
  const { address: to, init } = forwarder(passesOn)
  const root = await payer.send([internal({ to, value, bounce: true, init, body })])
  await shop.wait(120)
  const hash = root.transaction.hash().toString('hex')
  const told = transferCompleted({
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
  return { shop, payer, told, credited: credited?.in_msg?.value }
}

describe('a payment through a contract that passes it on', () => {
  it('is found when all of the price arrives', async () => {
    const { shop, payer } = await openForwarded({ passesOn: PRICE, value: PRICE + 50_000_000n })
    expect(await shop.reconcile()).toMatchObject({ found: { lost_webhook: 1 } })
    expect(shop.orders.all()[0]).toMatchObject({
      status: 'completed',
      payment: { rawAmount: PRICE, senderAddr: payer.address.toRawString(), foundBy: 'chain' },
    })
    expect(shop.events).toEqual(['onPaid order-1', 'onLostWebhook order-1'])
    expect(await shop.reconcile()).toMatchObject({ found: {}, decisions: {} })
  })

  it('is named underpaid when fees were taken out of the price', async () => {
    const { shop, credited } = await openForwarded({ passesOn: 0n, value: PRICE })
    expect(credited).toBeLessThan(PRICE)
    expect(await shop.reconcile()).toMatchObject({ found: { underpaid: 1 } })
    expect(shop.events.toSorted()).toEqual(['onMismatched order-1', 'onUnderpaid order-1'])
  })

  it.each([
    ['all of it', PRICE, PRICE + 50_000_000n],
    ['less the fees on its way', 0n, PRICE],
  ])('is proven, %s', async (_what, passesOn, value) => {
    const { shop, told, credited } = await openForwarded({ passesOn, value })
    const proof = createPaymentProof({ v3: shop.v3 })
    const order = orderOf('order-1', body, { recipient })
    const { signal } = new AbortController()
    expect(await proof.prove({ transfer: told, order }, { signal })).toMatchObject({
      kind: 'proven',
      payments: [{ amount: credited }],
    })
    // By whichever of its transactions it is told.
    const last = shop.chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
    const other = { ...told, txHash: last }
    expect(await proof.prove({ transfer: other, order }, { signal })).toMatchObject({
      kind: 'proven',
    })
  })

  it('is refuted when the money went on to somebody else', async () => {
    const { shop, told } = await openForwarded({ passesOn: PRICE, value: PRICE + 50_000_000n })
    const other = `0:${'ab'.repeat(32)}`
    const proof = createPaymentProof({ v3: shop.v3 })
    const order = orderOf('order-1', body, { recipient: other })
    const { signal } = new AbortController()
    const transfer = { ...told, recipientAddr: other }
    expect(await proof.prove({ transfer, order }, { signal })).toMatchObject({
      kind: 'refuted',
      reason: 'other_recipient',
    })
  })

  it('is no second payment when its webhook comes after it was found', async () => {
    const { shop, told } = await openForwarded({ passesOn: PRICE, value: PRICE + 50_000_000n })
    await shop.reconcile()
    const { body: rawBody, headers } = signPayload(transferCompleted(told), SECRET)
    const answer = await shop.receiver.receive({ headers, rawBody })
    expect(answer.decision).toMatchObject({ kind: 'duplicate' })
  })
})
