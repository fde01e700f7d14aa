import { createInvoice, memoryOrderRepository, type Payments } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

const UNUSABLE = ['a\u0000', 'a\ud800', 'a\udfff', '\udc00\ud800'] as const
/** References that a lossy store would read instead. */
const NEIGHBORS = ['a\uFFFD', 'a', '\uFFFD\uFFFD', 'a\\u0000', 'a\\ud800']

function openNeighbors(options: Parameters<typeof openShop>[1] = {}) {
  const unknown: string[] = []
  const shop = openShop(
    NEIGHBORS.map((reference) => order({ reference })),
    { onUnknownOrder: ({ transfer }) => void unknown.push(transfer.reference), ...options },
  )
  const statuses = () => new Set(shop.orders.all().map(({ status }) => status))
  return { ...shop, unknown, statuses }
}

describe.each(UNUSABLE)('the reference %j', (reference) => {
  it('names no order in a webhook, and the transfer is kept for an operator', async () => {
    const shop = openNeighbors()
    const answer = await shop.send(transferCompleted({ reference }))
    await shop.settle()
    expect(answer).toMatchObject({
      status: 200,
      decision: { kind: 'unknown_order', reference: '' },
    })
    expect(shop.statuses()).toEqual(new Set(['pending']))
    expect(shop.unknown).toEqual([''])
    expect(await createOperator({ payments: shop.payments }).list()).toMatchObject([
      { action: 'assign', reference: '' },
    ])
  })

  it('is never passed to the repository of the shop', async () => {
    const asked: string[] = []
    const orders = memoryOrderRepository()
    const find: typeof orders.find = (key) => {
      asked.push(key.reference)
      return orders.find(key)
    }
    const shop = openShop([], { orders: { ...orders, find } })
    await shop.send(transferCompleted({ reference }))
    await shop.settle()
    expect(asked).toEqual([])
  })

  it('is refused for orders and invoices', async () => {
    const problem = /without NUL and lone surrogates/
    expect(() => memoryOrderRepository([order({ reference })])).toThrow(problem)
    expect(() => memoryOrderRepository([order({ merchant: reference })])).toThrow(problem)
    const invoice = { wallet: `0:${'a'.repeat(64)}`, amount: '1', asset: 'TON', reference }
    await expect(createInvoice(invoice)).rejects.toMatchObject({
      code: 'ERR_TONPLUG_CONFIGURATION',
    })
  })

  it('is refused for a call of an operator, and waits in a status stream', async () => {
    const { payments } = openNeighbors()
    const calls: ((payments: Payments) => Promise<unknown>)[] = [
      (one) =>
        createOperator({ payments: one }).assign(
          { transactionHash: 'ab'.repeat(32), reference },
          { by: 'ann' },
        ),
      (one) =>
        createOperator({ payments: one }).assign(
          { transactionHash: 'ab'.repeat(32), reference: 'a', merchant: reference },
          { by: 'ann' },
        ),
      (one) => one.orderCreated(reference),
    ]
    for (const call of calls) {
      await expect(call(payments)).rejects.toThrow(/key\.\w+: must be .*lone surrogates/)
    }
    expect(await createOperator({ payments }).list({ reference })).toEqual([])
    expect(await createOperator({ payments }).reprocess({ reference }, { by: 'ann' })).toBe(0)
    for (const key of [reference, { reference: 'a', merchant: reference }]) {
      for await (const { status } of payments.watchStatus(key)) {
        expect(status).toBe('waiting')
        break
      }
    }
  })
})

it('keeps U+FFFD and surrogate pairs in the references of orders', async () => {
  const shop = openShop([order({ reference: 'a\uFFFD' }), order({ reference: 'a💎' })])
  expect(await shop.decide(transferCompleted({ reference: 'a\uFFFD' }))).toBe('paid')
  const escaped = JSON.stringify(transferCompleted({ reference: 'a💎', txHash: 'c'.repeat(64) }))
  expect(await shop.decide(escaped.replace('💎', '\\ud83d\\udc8e'))).toBe('paid')
})
