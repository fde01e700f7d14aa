import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import {
  memoryInbox,
  memoryOrderRepository,
  type CreditClaim,
  type Inbox,
  type MemoryOrderRepository,
} from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'
import { orderFor } from '../proof/payer.js'
import { addOrder, openTelling, ours, payTwice, PRICE } from './proven-shop.js'

describe('a proof without a watcher, about equal payments in one trace', () => {
  it('S119 reports the second of two payments in one transaction of the payer', async () => {
    const shop = await openTelling()
    const [paid] = await payTwice(shop)
    addOrder(shop.repository, paid)
    await shop.run(shop.send(paid))
    await shop.settle()
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
    const uses = (await shop.uses(paid.txHash)).map((one) => one.join())
    expect(uses.toSorted()).toEqual(['', `order-1 ${PRICE}`])
  })

  it.each([1, 2])(
    'S119 uses one of two payments and reports the other after an outage of the orders, named by %i webhooks',
    async (count) => {
      const repository = memoryOrderRepository()
      let isDown = true
      const complete: MemoryOrderRepository['complete'] = async (key, payment) => {
        if (isDown) throw new Error('down')
        return repository.complete(key, payment)
      }
      const orders = { ...repository, complete }
      const shop = await openTelling({ repository, payments: { orders } })
      const [paid] = await payTwice(shop)
      addOrder(repository, paid)
      const names = [paid.txHash, shop.lastHash()].slice(0, count)
      for (const txHash of names) await shop.run(shop.send({ ...paid, txHash }))
      // Longer than a report may stay undecided.
      for (const _ of Array(4)) await shop.settle()
      expect([shop.shipped, shop.events]).toEqual([[], []])
      isDown = false
      await shop.clock.advance(300_000)
      for (const _ of Array(4)) await shop.settle()
      expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
      const uses = (await shop.uses(paid.txHash)).map((one) => one.join())
      expect(uses.toSorted()).toEqual(['', `order-1 ${PRICE}`])
    },
  )

  it('S119 reports the second of two payments after an outage that began when the order was paid', async () => {
    let isDown = true
    const clocked = createDrivenClock()
    const memory = memoryInbox({ clock: clocked.clock })
    const store: Inbox['reports']['store'] = async (report) => {
      if (isDown && report.source === 'chain') throw new Error('down')
      return memory.reports.store(report)
    }
    const inbox = { ...memory, reports: { ...memory.reports, store } }
    const shop = await openTelling({ inbox, driven: clocked })
    const [paid] = await payTwice(shop)
    addOrder(shop.repository, paid)
    await shop.run(shop.send(paid))
    await shop.settle()
    expect([shop.shipped, shop.events]).toEqual([['order-1'], []])
    isDown = false
    await shop.clock.advance(300_000)
    await shop.settle()
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
  })

  it('S119 uses one of two payments that two processes prove at once', async () => {
    const driven = createDrivenClock()
    const memory = memoryInbox(driven)
    const pairs = inPairs((given: CreditClaim) => memory.credits.claim(given))
    const credits = { ...memory.credits, claim: pairs.call }
    const inbox = { ...memory, isDurable: true, credits }
    const shop = await openTelling({ inbox, driven })
    const other = shop.openOther()
    const [paid, first, second] = await payTwice(shop)
    addOrder(shop.repository, paid)
    await shop.run(shop.send(first))
    await expect.poll(async () => (await shop.clock.advance(100), pairs.calls())).toBe(1)
    await shop.run(other.send(second))
    for (const _ of Array(4)) await shop.settle()
    expect([...shop.shipped, ...other.shipped]).toEqual(['order-1'])
    expect(shop.events).toEqual([`extra order-1 ${PRICE}`])
    const uses = (await shop.uses(paid.txHash)).map((one) => one.join())
    expect(uses.toSorted()).toEqual(['', `order-1 ${PRICE}`])
  })

  it('S119 ends the use of a payment when another process completes the order with an equal one', async () => {
    const driven = createDrivenClock()
    const repository = memoryOrderRepository()
    const pairs = inPairs((...given: Parameters<MemoryOrderRepository['complete']>) =>
      repository.complete(...given),
    )
    const orders = { ...repository, complete: pairs.call }
    const inbox = { ...memoryInbox(driven), isDurable: true }
    const shop = await openTelling({ inbox, driven, repository, payments: { orders } })
    const other = shop.openOther()
    const payment = { reference: 'order-1', to: ours, value: PRICE }
    const first = await shop.payer.pay(payment)
    const second = await shop.payer.pay(payment)
    addOrder(repository, first)
    await shop.run(shop.send(first))
    await expect.poll(async () => (await shop.clock.advance(100), pairs.calls())).toBe(1)
    await shop.run(other.send(second))
    for (const _ of Array(4)) await shop.settle()
    expect(pairs.calls()).toBe(2)
    expect([...shop.shipped, ...other.shipped]).toEqual(['order-1'])
    expect(shop.events).toEqual([`extra order-1 ${PRICE}`])
    const completedBy = (await repository.find({ reference: 'order-1', merchant: '' }))?.payment
    const uses = await Promise.all(
      [first, second].map(async ({ txHash }) => [txHash, (await shop.uses(txHash)).flat()]),
    )
    const isPaid = (txHash: unknown) => txHash === completedBy?.txHash
    expect(uses).toEqual(
      uses.map(([txHash]) => [txHash, isPaid(txHash) ? [`order-1 ${PRICE}`] : []]),
    )
    // No other order of the shop is refused the money.
    const lost = [first, second].find(({ txHash }) => !isPaid(txHash))
    repository.add({ ...orderFor(first), reference: 'order-2', bodyBase64Hash: undefined })
    const assigned = shop.operator.assign(
      { transactionHash: lost?.txHash ?? '', reference: 'order-2' },
      { by: 'ann', reason: 'ticket' },
    )
    await shop.run(assigned)
    await shop.settle()
    expect([...shop.shipped, ...other.shipped].toSorted()).toEqual(['order-1', 'order-2'])
  })

  it.each([1, 2, 3])(
    'S117 reports each of two payments without an order once, which %i webhooks name',
    async (count) => {
      const shop = await openTelling()
      const names = await payTwice(shop)
      for (const one of names.slice(0, count)) await shop.run(shop.send(one))
      for (const _ of Array(4)) await shop.settle()
      // Like a watcher's, the reports of the credits name no order.
      expect(shop.events).toEqual(['unknown ', 'unknown '])
      expect(shop.keys.size).toBe(2)
      addOrder(shop.repository, names[0])
      await shop.run(shop.payments.orderCreated('order-1'))
      for (const _ of Array(4)) await shop.settle()
      expect(shop.shipped).toEqual(['order-1'])
      expect(shop.events.slice(2)).toEqual([`extra order-1 ${PRICE}`])
      const uses = (await shop.uses(names[0].txHash)).map((one) => one.join())
      expect(uses.toSorted()).toEqual(['', `order-1 ${PRICE}`])
    },
  )

  it.each([
    ['mismatch', 1],
    ['mismatch', 2],
    ['mismatch', 3],
    ['unknown', 1],
    ['unknown', 2],
    ['unknown', 3],
  ] as const)(
    'S116 reports each of two payments once to a merchant: %s, which %i webhooks name',
    async (kind, count) => {
      const shop = await openTelling()
      const names = await payTwice(shop, PRICE / 4n)
      if (kind === 'mismatch') {
        addOrder(shop.repository, names[0], { merchant: 'a', bodyBase64Hash: undefined })
      }
      for (const transfer of names.slice(0, count)) {
        const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
        await shop.payments.submit({ merchant: 'a', source: 'webhook', rawBody, transfer })
        await shop.settle()
      }
      for (const _ of Array(4)) await shop.settle()
      expect(shop.events.map((event) => event.split(' ')[0])).toEqual([kind, kind])
      expect(shop.keys.size).toBe(2)
    },
  )
})

/** Holds the first call until another one has begun, or for some time. */
function inPairs<Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) {
  let begun = 0
  const both = new AbortController()
  return {
    calls: () => begun,
    call: async (...given: Given): Promise<Result> => {
      if (++begun === 2) both.abort()
      if (begun === 1) await Promise.race([once(both.signal, 'abort'), setTimeout(30_000)])
      return call(...given)
    },
  }
}
