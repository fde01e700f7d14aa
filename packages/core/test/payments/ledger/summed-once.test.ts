import { createOperator } from '@tonplug/core/operator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../shop.js'
import { BEGIN, gatewayBody, openPaidChain, orderOf, recipient } from '../watcher/paid-chain.js'

const PRICE = 1_000_000_000n
const body = gatewayBody(1)

describe('a payment that a webhook reports', () => {
  it.each([
    ['first transaction', 0],
    ["wallet's own transaction", 1],
  ])('S123 is summed and balanced once when the webhook names its %s', async (_, place) => {
    const shop = await openPaidChain([orderOf('order-1', body)])
    await shop.pay(1, { body })
    await shop.wait(10)
    const hashes = shop.chain.transactions
      .slice(-2)
      .map(({ transaction }) => transaction.hash().toString('hex'))
    const payload = transferCompleted({
      reference: 'order-1',
      rawAmount: `${PRICE}`,
      recipientAddr: recipient,
      senderAddr: walletV4(1).wallet.address.toRawString(),
      bodyBase64Hash: body.hash().toString('base64'),
      txHash: hashes[place] ?? '',
      traceId: hashes[0] ?? '',
    })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    const { decision } = await shop.receiver.receive({ headers, rawBody })
    expect(decision.kind).toBe('paid')
    await shop.wait(120)
    await shop.pay(9, { body: 'newer', value: 1n })
    await shop.look()
    await shop.wait(60)
    const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
    const period = { from: new Date((BEGIN - 60) * 1000), before: new Date((BEGIN + 3600) * 1000) }
    expect(await operator.sums(period)).toMatchObject({
      credits: [{ asset: 'TON', rawAmount: PRICE, count: 1 }],
      unpriced: 1,
    })
    const [account] = (await operator.balance(recipient)).accounts
    expect(account).toMatchObject({ state: 'balanced', credits: PRICE, difference: 0n })
    const credits = await shop.inbox.credits.find({ hashes: [hashes[1] ?? ''] })
    expect(credits.map(({ uses }) => uses)).toMatchObject([
      [{ kind: 'order', reference: 'order-1', payment: hashes[place] }],
    ])
    expect(shop.events).toEqual(['onPaid order-1 webhook'])
  })
})
