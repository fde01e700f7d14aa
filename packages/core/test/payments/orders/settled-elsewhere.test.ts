import {
  memoryOrderRepository,
  type ExtraPayment,
  type Order,
  type OrderRepository,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type ShopOptions } from '../shop.js'

const settled = order({ status: 'completed' })

/** Opens a shop whose order was paid in cash. */
function openSettled(options: ShopOptions = {}, orders: readonly Order[] = [settled]) {
  const extra: ExtraPayment[] = []
  const shop = openShop(orders, { onExtraPayment: (event) => void extra.push(event), ...options })
  return { ...shop, extra }
}

/** A repository that completes orders, and does not return their payments. */
function withoutPayments(orders: readonly Order[]): OrderRepository {
  const repository = memoryOrderRepository(orders)
  return {
    ...repository,
    find: async (key) => {
      const found = await repository.find(key)
      return found && { ...found, payment: undefined }
    },
  }
}

describe('a payment for an order that was settled in another way', () => {
  it.each([
    ['of the right amount', {}],
    ['of another amount', { rawAmount: '7' }],
    ['in another asset', { asset: `0:${'ab'.repeat(32)}` }],
  ])('S113 is an extra payment, is listed, and runs its handler: %s', async (_, changes) => {
    const shop = openSettled()
    const { decision } = await shop.send(transferCompleted(changes))
    await shop.settle()
    expect(decision).toMatchObject({ kind: 'extra_payment', reference: 'order-1' })
    expect(await createOperator({ payments: shop.payments }).list()).toMatchObject([
      { action: 'refund' },
    ])
    expect(shop.extra.map(({ order: { reference } }) => reference)).toEqual(['order-1'])
    expect(shop.shipped).toEqual([])
    expect(await shop.orders.find({ reference: 'order-1' })).toMatchObject({ status: 'completed' })
  })

  it('S113 counts as duplicate when it is delivered again, and its handler runs once', async () => {
    const shop = openSettled()
    await shop.send(transferCompleted())
    const { decision } = await shop.send(transferCompleted())
    await shop.settle()
    expect(decision).toMatchObject({ kind: 'duplicate', first: 'extra_payment' })
    expect(shop.extra).toHaveLength(1)
  })

  it('S113 is an extra payment when it arrived before the order was stored', async () => {
    const shop = openSettled({}, [])
    expect(await shop.decide(transferCompleted())).toBe('unknown_order')
    shop.orders.add(settled)
    await shop.payments.orderCreated('order-1')
    await shop.clock.advance(1000)
    expect(shop.extra).toHaveLength(1)
    expect(shop.shipped).toEqual([])
  })

  it('S113 is an extra payment when the order is settled while it is decided', async () => {
    const orders = memoryOrderRepository([order()])
    const shop = openSettled({
      orders: {
        ...orders,
        complete: async (key, payment) => {
          orders.replace(settled)
          return orders.complete(key, payment)
        },
      },
    })
    expect(await shop.decide(transferCompleted())).toBe('extra_payment')
    await shop.settle()
    expect(shop.extra).toHaveLength(1)
    expect(shop.shipped).toEqual([])
  })

  it('S113 is an extra payment with verifyOnChain, too', async () => {
    const prove = () => Promise.reject(new Error('not asked'))
    const verifyOnChain = { deadlineMs: 1000, verify: prove }
    const { recipientAddr } = transferCompleted().data
    const shop = openSettled({ verifyOnChain, wallets: [recipientAddr] })
    expect(await shop.decide(transferCompleted())).toBe('extra_payment')
  })

  it('S113 is listed with the verdict of the rules', async () => {
    const shop = openSettled()
    await shop.send(transferCompleted())
    const [listed] = await createOperator({ payments: shop.payments }).list()
    const { rules = [] } =
      (await createOperator({ payments: shop.payments }).inspect(listed!.reportId)) ?? {}
    expect(rules.find(({ rule }) => rule === 'not completed')).toMatchObject({ passed: false })
  })
})

describe('a repository that does not return payments', () => {
  it('S41 does not make the payment of an order an extra one when another source reports it', async () => {
    const orders = withoutPayments([order()])
    const shop = openSettled({ orders })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    const { data: transfer } = transferCompleted({ txHash: 'aa'.repeat(32) })
    const rawBody = JSON.stringify({ event: 'transfer.completed', timestamp: '', data: transfer })
    const decision = await shop.payments.submit({ source: 'chain', rawBody, transfer })
    expect(decision).toMatchObject({
      kind: 'duplicate',
      completedBy: transferCompleted().data.txHash,
    })
    await shop.settle()
    expect(shop.extra).toEqual([])
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S40 reports a second payment as an extra one', async () => {
    const shop = openSettled({ orders: withoutPayments([order()]) })
    await shop.send(transferCompleted())
    const other = { txHash: 'aa'.repeat(32), traceId: 'bb'.repeat(32) }
    expect(await shop.decide(transferCompleted(other))).toBe('extra_payment')
  })

  it('S45 still pays an order whose decision was lost in a crash', async () => {
    let fails = true
    const shop = openSettled({
      orders: withoutPayments([order()]),
      inbox: (memory) => ({
        ...memory,
        reports: {
          ...memory.reports,
          decide: async (...call) => {
            if (fails) throw new Error('the process has ended')
            return memory.reports.decide(...call)
          },
        },
      }),
    })
    expect(await shop.send(transferCompleted())).toMatchObject({ status: 503 })
    fails = false
    await shop.clock.advance(60_000)
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.extra).toEqual([])
  })
})
