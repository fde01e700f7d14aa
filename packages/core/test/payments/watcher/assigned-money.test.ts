import { createOperator } from '@tonplug/core/operator'
import { walletV4 } from '@tonplug/simulator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { SECRET } from '../shop.js'
import { gatewayBody, openPaidChain, orderOf, recipient, type Payment } from './paid-chain.js'

/** A shop with a payment whose webhook names no order. */
async function openShop(...payments: Payment[]) {
  const told: string[] = []
  const cheaper = orderOf('order-2', gatewayBody(2), { rawAmount: 500_000_000n })
  const shop = await openPaidChain([orderOf('order-1', gatewayBody(1)), cheaper], {
    payments: { onUnknownOrder: ({ transfer }) => void told.push(transfer.txHash) },
  })
  await shop.pay(1, ...payments)
  const [root = '', ...credited] = shop.chain.transactions
    .slice(-payments.length - 1)
    .map(({ transaction }) => transaction.hash().toString('hex'))
  const operator = createOperator({ payments: shop.payments, v3: shop.v3 })
  return {
    ...shop,
    told,
    root,
    credited,
    operator,
    /** A webhook reports one of the payments, and an operator assigns it. */
    async assign(
      txHash: string,
      changes: { bodyBase64Hash?: string; commentToRecipient?: string },
    ) {
      const price = { amount: '1.0', rawAmount: '1000000000', recipientAddr: recipient }
      const named = { reference: 'nobody', txHash, traceId: root, bodyBase64Hash: '', ...changes }
      const { body: rawBody, headers } = signPayload(
        transferCompleted({ ...price, ...named }),
        SECRET,
      )
      await shop.receiver.receive({ headers, rawBody })
      const assignment = { transactionHash: txHash, reference: 'order-1' }
      const { decision } = await operator.assign(assignment, { by: 'ann' })
      expect(decision?.kind).toBe('paid')
    },
    /** The watcher looks again and again, while the chain moves on. */
    async lookOften() {
      for (let look = 0; look < 3; look++) {
        await shop.wait(60)
        await shop.chain.fund(walletV4(200 + look).wallet.address, 1_000_000n)
        await shop.look()
      }
    },
    /** Returns the transactions that the order uses. */
    async usedByFirst(): Promise<string[]> {
      const credits = await shop.inbox.credits.find({ hashes: credited })
      return credits
        .filter(({ uses }) => uses.some(({ reference }) => reference === 'order-1'))
        .map(({ txHash }) => txHash)
    },
  }
}

const hashOf = (number: number): string => gatewayBody(number).hash().toString('base64')

describe('money that an operator assigns by a webhook', () => {
  it.each([0, 1])(
    'S118 is used where the webhook names it, of two equal payments in a trace: %s',
    async (place) => {
      const shop = await openShop({ body: 'buyer a' }, { body: 'buyer b' })
      const named = shop.credited[place] ?? ''
      await shop.assign(named, {})
      await shop.lookOften()
      expect(await shop.usedByFirst()).toEqual([named])
      expect(shop.told).toEqual(shop.credited.filter((txHash) => txHash !== named))
    },
  )

  it('S118 is used where the webhook has the comment', async () => {
    const shop = await openShop({ body: 'buyer a' }, { body: 'buyer b' })
    await shop.assign(shop.root, { commentToRecipient: 'buyer b' })
    await shop.lookOften()
    expect(await shop.usedByFirst()).toEqual(shop.credited.slice(1))
  })

  it('S118 is not told as unknown by a later look', async () => {
    const shop = await openShop({ body: 'nobody' })
    await shop.assign(shop.root, {})
    await shop.look()
    await shop.lookOften()
    expect(await shop.usedByFirst()).toEqual(shop.credited)
    expect(shop.told).toEqual([])
    const actions = (await shop.operator.list()).map(({ action }) => action)
    expect(actions).not.toContain('assign')
  })

  it('S118 is not told as unknown when its credit is stored before it is assigned', async () => {
    const shop = await openShop({ body: 'nobody' })
    await shop.look()
    expect(await shop.inbox.credits.find({ hashes: shop.credited })).toHaveLength(1)
    await shop.assign(shop.root, {})
    await shop.lookOften()
    expect(await shop.usedByFirst()).toEqual(shop.credited)
    expect(shop.told).toEqual([])
  })

  it('S118 is used although it names an order with another price, which hears nothing of it', async () => {
    const shop = await openShop({ body: gatewayBody(2) })
    await shop.assign(shop.root, { bodyBase64Hash: hashOf(2) })
    await shop.lookOften()
    expect(await shop.usedByFirst()).toEqual(shop.credited)
    expect(shop.events).toEqual(['onPaid order-1 operator'])
  })

  it('S118 is not taken from a payment that names another order and has another body', async () => {
    const shop = await openShop({ body: gatewayBody(2) })
    await shop.assign(shop.root, {})
    await shop.lookOften()
    expect(await shop.usedByFirst()).toEqual([])
    expect(shop.events).toEqual(['onPaid order-1 operator', 'onMismatch order-2 overpaid'])
  })
})

describe('money that another Payments uses', () => {
  it.each([
    { kind: 'order', decisions: {} },
    { kind: 'refund', decisions: { duplicate: 1 } },
  ] as const)('is reported after a restart unless it is for an order: $kind', async (given) => {
    const shop = await openShop({ body: 'nobody' })
    await shop.lookOften()
    expect(shop.told).toEqual(shop.credited)
    const [credit] = await shop.inbox.credits.find({ hashes: shop.credited })
    const owner = { name: 'other', merchant: '', reference: 'order-9' }
    const use = { kind: given.kind, payments: [`credit:${credit?.id}`] }
    expect(await shop.inbox.credits.claim({ ...owner, ...use })).toBe(true)
    const restarted = await shop.restart()
    expect(await restarted.run()).toMatchObject({ isComplete: true, decisions: given.decisions })
  })
})
