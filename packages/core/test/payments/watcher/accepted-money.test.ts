import { createTransferReport, memoryInbox, type StoredCredit } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { directCredit } from '../ledger/direct-credit.js'
import { openShop as openWebhookShop, SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient, type Payment } from './paid-chain.js'

const NOTE = { by: 'ann', reason: 'agreed by phone' }
const PART = 400_000_000n

/** A shop whose order has received one part that the chain shows, and one that only its webhook names. */
async function openShop(...others: Payment[]) {
  const told: string[] = []
  const { bodyBase64Hash: _, ...order } = orderOf('order-1', gatewayBody(1))
  const shop = await openPaidChain(
    [order, orderOf('order-2', gatewayBody(2), { rawAmount: PART })],
    {
      payments: { onUnknownOrder: ({ transfer }) => void told.push(transfer.txHash) },
    },
  )
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  await shop.pay(1, { body: 'order-1', value: PART })
  await shop.wait(120)
  await shop.look()
  await shop.pay(2, { body: 'thanks', value: PART }, ...others)
  const [traceId = '', credited = ''] = shop.chain.transactions
    .slice(-2 - others.length)
    .map(({ transaction }) => transaction.hash().toString('hex'))
  return {
    ...shop,
    told,
    operator,
    root: traceId,
    credited,
    async deliver(txHash: string) {
      const payload = transferCompleted({
        reference: 'order-1',
        rawAmount: `${PART}`,
        recipientAddr: recipient,
        senderAddr: walletV4(2).wallet.address.toRawString(),
        bodyBase64Hash: '',
        txHash,
        traceId,
      })
      const { body: rawBody, headers } = signPayload(payload, SECRET)
      await shop.receiver.receive({ headers, rawBody })
    },
    async accept() {
      const result = await operator.accept({ reference: 'order-1' }, NOTE)
      expect(result).toMatchObject({
        decision: { kind: 'paid', acceptedAmounts: [{ rawAmount: `${2n * PART}` }] },
      })
    },
    /** The watcher looks again and again, while the chain moves on. */
    async lookOften() {
      for (let look = 0; look < 3; look++) {
        await shop.wait(60)
        await shop.chain.fund(walletV4(200 + look).wallet.address, 1_000_000n)
        await shop.look()
      }
    },
    async uses() {
      const credits = await shop.inbox.credits.find({ hashes: [credited] })
      return credits.flatMap(({ uses }) => uses)
    },
  }
}

describe('money that an operator accepts by a webhook, and that names no order', () => {
  it.each(['root', 'credited'] as const)(
    'S133 S119 is used by the order when its credit appears, with a webhook that names its transaction: %s',
    async (named) => {
      const shop = await openShop()
      await shop.deliver(shop[named])
      await shop.accept()
      await shop.lookOften()
      expect(await shop.uses()).toMatchObject([{ reference: 'order-1', rawAmount: PART }])
      expect(shop.told).toEqual([])
    },
  )

  it.each(['root', 'credited'] as const)(
    'S133 S119 is used by the order after its credit was reported, with a webhook that names its transaction: %s',
    async (named) => {
      const shop = await openShop()
      await shop.lookOften()
      expect(shop.told).toEqual([shop.credited])
      await shop.deliver(shop[named])
      await shop.accept()
      await shop.lookOften()
      expect(await shop.uses()).toMatchObject([{ reference: 'order-1', rawAmount: PART }])
      const actions = (await shop.operator.list()).map(({ action }) => action)
      expect(new Set(actions)).toEqual(new Set(['none']))
    },
  )

  it('S133 S119 is neither refunded nor assigned, unlike other money of its trace', async () => {
    const shop = await openShop({ body: 'more thanks', value: 2n * PART })
    await shop.deliver(shop.root)
    await shop.accept()
    await shop.lookOften()
    const assign = (transactionHash: string) =>
      shop.operator.assign({ transactionHash, reference: 'order-2' }, NOTE)
    const refund = (transactionHash: string) => shop.operator.refund({ transactionHash }, NOTE)
    for (const act of [assign, refund]) {
      await expect(act(shop.credited)).rejects.toThrow('expected a transaction that brought money')
    }
    const reused = { kind: 'unverified', reason: 'reused' }
    expect(await assign(shop.root)).toMatchObject({ decision: reused })
    expect(await refund(shop.root)).toMatchObject({ state: 'rejected' })
    expect(await shop.uses()).toMatchObject([{ reference: 'order-1', rawAmount: PART }])
    expect(shop.told).toHaveLength(1)
    expect(await refund(shop.told[0]!)).toMatchObject({ state: 'proposed' })
  })
})

describe('money that an operator accepts by webhooks, and that names the order', () => {
  const HALF = '5000000000'
  const KEY = { name: 'default', merchant: '', reference: 'order-1' }
  const traceOf = (digit: string) => digit.repeat(64)
  const half = (txHash: string, traceId: string) =>
    transferCompleted({ txHash, traceId, rawAmount: HALF })

  /** Opens a shop whose order costs more than the two halves that it receives. */
  function openHalves() {
    const inbox = memoryInbox()
    const { credits } = inbox
    let before: StoredCredit[] | undefined
    const listOf: typeof credits.listOf = async (order) => before ?? credits.listOf(order)
    const shop = openWebhookShop(undefined, {
      inbox: { ...inbox, credits: { ...credits, listOf } },
    })
    const operator = createOperator({ payments: shop.payments })
    return {
      ...shop,
      deliver: (digit: string) => shop.decide(half(traceOf(digit), traceOf(digit))),
      accept: () => operator.accept({ reference: 'order-1' }, NOTE),
      /** The watcher reports a credit of a trace. @returns the kind of the decision */
      async show(digit: string, place = 1) {
        const [txHash, traceId] = [`${digit}${place}`.repeat(32), traceOf(digit)]
        await credits.store([directCredit({ txHash, traceId, rawAmount: HALF })])
        const found = { source: 'chain', payments: [`credit:${txHash}`] } as const
        const { data } = half(txHash, traceId)
        return (await shop.payments.submit(createTransferReport(data, found)))?.kind
      },
      /** Two processes look before one of them claims. */
      async atOnce(run: () => Promise<void>) {
        before = await credits.listOf(KEY)
        await run()
        before = undefined
      },
      uses: async () =>
        (await credits.listOf(KEY)).map(
          ({ id, uses }) => `${id.slice(0, 2)} ${uses[0]?.payment?.[0]}`,
        ),
    }
  }

  it('S133 is used by the order with one credit of each trace, when two processes find two', async () => {
    const shop = openHalves()
    for (const digit of ['1', '2']) await shop.deliver(digit)
    await shop.accept()
    for (const digit of ['2', '1']) {
      await shop.atOnce(async () => {
        expect(await shop.show(digit, 1)).toBe('duplicate')
        expect(await shop.show(digit, 2)).not.toBe('duplicate')
      })
      expect(await shop.show(digit, 3)).toBe('extra_payment')
    }
    expect(await shop.uses()).toEqual(['21 2', '11 1'])
  })

  it('S133 is used by the order beside a credit that the acceptance has claimed', async () => {
    const shop = openHalves()
    await shop.show('1')
    await shop.deliver('2')
    await shop.accept()
    expect(await shop.show('2')).toBe('duplicate')
    expect(await shop.uses()).toHaveLength(2)
  })
})
