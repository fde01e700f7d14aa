import { createOperator } from '@tonplug/core/operator'
import { walletV4 } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient } from '../watcher/paid-chain.js'

const body = gatewayBody(1)
const PRICE = 1_000_000_000n
const SURPLUS = 200_000_000n
const ANN = { by: 'ann' }
const ACCEPT = { payments: { amounts: { overpaid: 'accept' } } } as const

type Source = 'webhook' | 'watcher'

/** Opens an order that is paid with more than its price, as the sources report it. */
async function openOverpaid(
  sources: readonly Source[],
  options: Parameters<typeof openPaidChain>[1] = ACCEPT,
) {
  const shop = await openPaidChain([orderOf('order-1', body)], options)
  await shop.pay(1, { body, value: PRICE + SURPLUS })
  await shop.wait(120)
  const [first, last] = shop.chain.transactions
    .slice(-2)
    .map(({ transaction }) => transaction.hash().toString('hex'))
  const deliver = async (reported = {}) => {
    const payload = transferCompleted({
      reference: 'order-1',
      rawAmount: `${PRICE + SURPLUS}`,
      recipientAddr: recipient,
      senderAddr: walletV4(1).wallet.address.toRawString(),
      bodyBase64Hash: body.hash().toString('base64'),
      txHash: first!,
      traceId: first!,
      ...reported,
    })
    const { body: rawBody, headers } = signPayload(payload, SECRET)
    return shop.receiver.receive({ headers, rawBody })
  }
  for (const source of sources) await (source === 'webhook' ? deliver() : shop.look())
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  const uses = async () => {
    const [credit] = await shop.inbox.credits.find({ hashes: [last!] })
    return credit?.uses.map(({ kind, rawAmount }) => [kind, rawAmount])
  }
  return { ...shop, operator, uses, deliver, first: first!, last: last! }
}

describe('the surplus of a payment', () => {
  it.each<[Source[]]>([[['watcher']], [['webhook', 'watcher']], [['watcher', 'webhook']]])(
    'S134 is refunded once, when the sources are: %s',
    async (sources) => {
      const shop = await openOverpaid(sources)
      expect(await shop.uses()).toEqual([['order', PRICE]])
      const hashes = [shop.last, ...(sources.length > 1 ? [shop.first] : []), shop.last]
      const ask = async (transactionHash: string) => shop.operator.refund({ transactionHash }, ANN)
      const asked = await Promise.all(hashes.map(ask))
      const [proposed, ...others] = asked.toSorted((one, other) =>
        one.state < other.state ? -1 : 1,
      )
      expect(proposed).toMatchObject({
        state: 'proposed',
        request: { messages: [{ amount: `${SURPLUS}` }] },
      })
      expect(new Set(others.map(({ state }) => state))).toEqual(new Set(['waiting']))
      expect(await shop.uses()).toEqual([
        ['order', PRICE],
        ['refund', SURPLUS],
      ])
      expect(shop.orders.all()).toMatchObject([
        { status: 'completed', payment: { surplus: `${SURPLUS}` } },
      ])
    },
  )

  it('S134 is not refunded before the chain has linked the webhook that completed the order', async () => {
    const shop = await openOverpaid(['webhook'])
    const asked = { transactionHash: shop.first }
    expect(await shop.operator.refund(asked, ANN)).toMatchObject({ state: 'rejected' })
    await shop.look()
    expect(await shop.operator.refund(asked, ANN)).toMatchObject({ state: 'proposed' })
    expect(await shop.uses()).toEqual([
      ['order', PRICE],
      ['refund', SURPLUS],
    ])
  })

  it('S134 is refunded when the webhook that completed the order names more money than it reports', async () => {
    const shop = await openOverpaid([], {})
    const named = { rawAmount: `${PRICE}`, txHash: shop.last, traceId: '' }
    expect((await shop.deliver(named)).decision.kind).toBe('paid')
    await shop.look()
    expect(await shop.uses()).toEqual([['order', PRICE]])
    expect(await shop.operator.refund({ transactionHash: shop.last }, ANN)).toMatchObject({
      state: 'proposed',
      request: { messages: [{ amount: `${SURPLUS}` }] },
    })
  })

  it('S134 has no other use when reports are decided again after its refund', async () => {
    const shop = await openOverpaid(['watcher'])
    expect(await shop.operator.refund({ transactionHash: shop.last }, ANN)).toMatchObject({
      state: 'proposed',
    })
    expect((await shop.deliver()).decision.kind).toBe('duplicate')
    const again = await shop.restart()
    await again.run()
    await shop.wait(60)
    expect(await shop.uses()).toEqual([
      ['order', PRICE],
      ['refund', SURPLUS],
    ])
    expect(shop.events).toEqual(['onPaid order-1 chain'])
    for await (const status of shop.payments.watchStatus('order-1')) {
      expect(status).toEqual({ status: 'paid', surplus: `${SURPLUS}` })
    }
  })

  it('S134 is taken by no other name and no other order after its refund', async () => {
    const shop = await openOverpaid(['watcher'])
    const refund = { kind: 'refund', reference: '["refund"]' } as const
    const asked = { transactionHash: shop.last }
    expect(await shop.operator.refund(asked, ANN)).toMatchObject({ state: 'proposed' })
    const [credit] = await shop.inbox.credits.find({ hashes: [shop.last] })
    const claim = { merchant: '', payments: [`credit:${credit!.id}`] }
    expect(await shop.inbox.credits.claim({ name: 'other', ...claim, ...refund })).toBe(false)
    const order = { name: 'default', ...claim, reference: 'order-2' }
    expect(await shop.inbox.credits.claim(order)).toBe(false)
  })
})
