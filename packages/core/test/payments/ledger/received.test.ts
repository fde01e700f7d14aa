import { createOperator, type InspectedReport } from '@tonplug/core/operator'
import { walletV4 } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import type { ExtraPayment, MismatchedTransfer } from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient } from '../watcher/paid-chain.js'

const body = gatewayBody(1)
const PRICE = 1_000_000_000n

type Received = InspectedReport['received']

/** Opens an order whose events state what it has received. */
async function openShop() {
  const told: [string, Received][] = []
  const shop = await openPaidChain([orderOf('order-1', body)], {
    payments: {
      onMismatch: ({ received }: MismatchedTransfer) => void told.push(['mismatch', received]),
      onExtraPayment: ({ received }: ExtraPayment) => void told.push(['extra', received]),
    },
  })
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  const inspect = async () => {
    const [report] = await operator.list({ reference: 'order-1' })
    return operator.inspect(report!.reportId)
  }
  const look = async () => {
    await shop.wait(120)
    await shop.look()
    await shop.wait(10)
  }
  const hashes = () =>
    shop.chain.transactions.map(({ transaction }) => transaction.hash().toString('hex'))
  const deliver = async () => {
    const [first = ''] = hashes().slice(-2)
    const payload = transferCompleted({
      reference: 'order-1',
      rawAmount: `${PRICE}`,
      recipientAddr: recipient,
      senderAddr: walletV4(1).wallet.address.toRawString(),
      bodyBase64Hash: body.hash().toString('base64'),
      txHash: first,
      traceId: first,
    })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    return shop.receiver.receive({ headers, rawBody })
  }
  return { ...shop, operator, told, inspect, lookAndTell: look, deliver, hashes }
}

const ton = (rawAmount: bigint) => [{ asset: 'TON', rawAmount }]

describe('what an order has received', () => {
  it('S133 is the sum of the credits that name it, without those that are refunded', async () => {
    const shop = await openShop()
    await shop.pay(1, { body, value: PRICE / 4n })
    await shop.lookAndTell()
    await shop.pay(2, { body, value: PRICE / 2n })
    await shop.lookAndTell()
    expect(shop.told).toEqual([
      ['mismatch', ton(PRICE / 4n)],
      ['mismatch', ton((PRICE * 3n) / 4n)],
    ])
    const inspected = await shop.inspect()
    expect(inspected?.received).toEqual(ton((PRICE * 3n) / 4n))
    expect(JSON.parse(JSON.stringify(inspected))).toMatchObject({
      received: [{ asset: 'TON', rawAmount: `${(PRICE * 3n) / 4n}` }],
    })
    const [transactionHash = ''] = shop.hashes().slice(-1)
    const refund = await shop.operator.refund({ transactionHash }, { by: 'ann' })
    expect(refund).toMatchObject({ state: 'proposed' })
    expect((await shop.inspect())?.received).toEqual(ton(PRICE / 4n))
  })

  it('S115 counts a payment once that both sources report, and is unknown before it is linked', async () => {
    const shop = await openShop()
    await shop.pay(1, { body })
    expect((await shop.deliver()).decision.kind).toBe('paid')
    expect(await shop.inspect()).toMatchObject({ order: { status: 'completed' } })
    expect(await shop.inspect()).not.toHaveProperty('received')
    await shop.lookAndTell()
    expect((await shop.inspect())?.received).toEqual(ton(PRICE))
    await shop.pay(2, { body, value: 7n })
    await shop.lookAndTell()
    expect(shop.told).toEqual([['extra', ton(PRICE + 7n)]])
  })
})
