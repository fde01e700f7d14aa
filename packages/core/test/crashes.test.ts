import { memoryInbox, memoryOrderRepository, type HandlerContext, type Inbox } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from './shop.js'

/** An inbox whose next call of one method fails: before it did its work, or after it, as in a lost connection. */
function failingOnce(method: 'store' | 'decide', moment: 'before' | 'after'): Inbox {
  const inbox = memoryInbox()
  let hasFailed = false
  const failing =
    <Call extends unknown[], Result>(real: (...call: Call) => Promise<Result>) =>
    async (...call: Call): Promise<Result> => {
      const fails = !hasFailed
      hasFailed = true
      if (fails && moment === 'before') throw new Error('connection lost')
      const result = await real(...call)
      if (fails) throw new Error('connection lost')
      return result
    }
  return method === 'store'
    ? { ...inbox, store: failing((...call: Parameters<Inbox['store']>) => inbox.store(...call)) }
    : { ...inbox, decide: failing((...call: Parameters<Inbox['decide']>) => inbox.decide(...call)) }
}

describe('a store that fails', () => {
  it.each([
    ['S45', 'store', 'before'],
    ['S45', 'store', 'after'],
    ['S46', 'decide', 'before'],
    ['S46', 'decide', 'after'],
  ] as const)('%s in %s, %s its work: 503, then the retry pays once', async (_, method, moment) => {
    const shop = openShop([order()], { inbox: failingOnce(method, moment) })
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 503,
      decision: { reason: 'store' },
    })
    expect((await shop.send(transferCompleted())).status).toBe(200)
    await shop.settle()
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S46 finishes by itself what no retry comes for', async () => {
    const shop = openShop([order()], { inbox: failingOnce('decide', 'before') })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    await shop.clock.advance(40_000)
    expect(shop.shipped).toEqual(['order-1'])
    expect(await shop.decide(transferCompleted())).toBe('duplicate')
  })

  it('S46 runs the handlers when the transition was made and its answer was lost', async () => {
    const orders = memoryOrderRepository([order()])
    let calls = 0
    const shop = openShop([], {
      orders: {
        ...orders,
        complete: async (...call) => {
          const transition = await orders.complete(...call)
          if (++calls === 1) throw new Error('connection lost')
          return transition
        },
      },
    })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S48 answers 503 as long as the orders cannot be read', async () => {
    const down = {
      ...memoryOrderRepository(),
      findByReference: () => Promise.reject(new Error('down')),
    }
    const shop = openShop([], { orders: down })
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await shop.send(transferCompleted())).toMatchObject({
        status: 503,
        body: '{"ok":false}',
      })
    }
  })

  it('S46 runs the handlers after a crash also when the orders do not tell their payment', async () => {
    const orders = memoryOrderRepository([order()])
    const shop = openShop([], {
      inbox: failingOnce('decide', 'before'),
      orders: {
        ...orders,
        findByReference: async (reference) => {
          const found = await orders.findByReference(reference)
          return found === null ? null : { ...found, payment: undefined }
        },
      },
    })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    expect(await shop.decide(transferCompleted())).toBe('paid')
    expect(await shop.decide(transferCompleted({ amount: '10.50' }))).toBe('duplicate')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S48 stores what it cannot decide, and decides it when the orders are back', async () => {
    const orders = memoryOrderRepository([order()])
    let isDown = true
    const shop = openShop([], {
      orders: {
        ...orders,
        findByReference: (reference) =>
          isDown ? Promise.reject(new Error('down')) : orders.findByReference(reference),
      },
    })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    isDown = false
    await shop.clock.advance(40_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S58 has the order to prevent a second effect when the inbox was purged', async () => {
    const orders = memoryOrderRepository([order()])
    const first = openShop([], { orders })
    await first.send(transferCompleted())
    await first.settle()
    const second = openShop([], { orders })
    expect(await second.decide(transferCompleted())).toBe('duplicate')
    await second.settle()
    expect([first.shipped, second.shipped]).toEqual([['order-1'], []])
  })
})

describe('handlers', () => {
  it('S50 tries a failing handler with backoff, keeps it as a dead letter, and runs the others once', async () => {
    const inbox = memoryInbox()
    const runs: number[] = []
    let mails = 0
    const shop = openShop([order()], {
      inbox,
      handlerRetry: { maxAttempts: 4, minDelayMs: 1000, maxDelayMs: 3000 },
      onPaid: {
        ship: () => {
          runs.push(shop.clock.nowMs())
          throw new Error('carrier is closed')
        },
        mail: () => void mails++,
      },
    })
    const start = shop.clock.nowMs()
    expect((await shop.send(transferCompleted())).status).toBe(200)
    await shop.clock.advance(60_000)
    expect(runs.map((ms) => ms - start)).toEqual([0, 1000, 3000, 6000])
    expect(mails).toBe(1)
    expect(await inbox.listDead({ limit: 10 })).toMatchObject([
      { handler: 'onPaid.ship', attempts: 4, error: 'carrier is closed' },
    ])
  })

  it('S47 runs a handler again with the same key when its lease has ended', async () => {
    const inbox = memoryInbox()
    const contexts: HandlerContext[] = []
    const options = { inbox, orders: memoryOrderRepository([order()]) }
    const dying = openShop([], { ...options, onPaid: () => new Promise(() => undefined) })
    await dying.send(transferCompleted())
    await dying.settle()
    // What a killed process leaves behind: a lease that nobody renews.
    const surviving = openShop([], {
      ...options,
      onPaid: (_, context) => void contexts.push(context),
    })
    await surviving.clock.advance(59_000)
    expect(contexts).toEqual([])
    await surviving.clock.advance(7000)
    expect(contexts).toMatchObject([
      { idempotencyKey: `onPaid:order-1:${transferCompleted().data.txHash}`, attempt: 2 },
    ])
  })

  it('keeps the lease of a handler that takes long, and runs it once', async () => {
    let runs = 0
    const shop = openShop([order()], {
      onPaid: () =>
        new Promise<void>((resolve) => {
          runs++
          shop.clock.setTimer(resolve, 600_000)
        }),
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(700_000)
    expect(runs).toBe(1)
  })

  it('S51 answers at once while the handler takes half a minute', async () => {
    let isDone = false
    const shop = openShop([order()], {
      onPaid: () =>
        new Promise<void>((resolve) => {
          shop.clock.setTimer(() => {
            isDone = true
            resolve()
          }, 30_000)
        }),
    })
    expect((await shop.send(transferCompleted())).status).toBe(200)
    expect(isDone).toBe(false)
    await shop.clock.advance(30_000)
    expect(isDone).toBe(true)
  })

  it('S51 answers 503 to a store that takes nine seconds, and knows its late commit on the retry', async () => {
    const orders = memoryOrderRepository([order()])
    const shop = openShop([], {
      orders: {
        ...orders,
        complete: async (...call) => {
          await new Promise<void>((resolve) => void shop.clock.setTimer(resolve, 9000))
          return orders.complete(...call)
        },
      },
    })
    const answer = shop.send(transferCompleted())
    await shop.clock.advance(8000)
    expect(await answer).toMatchObject({ status: 503, decision: { reason: 'deadline' } })
    await shop.clock.advance(1000)
    expect(await shop.decide(transferCompleted())).toBe('duplicate')
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S52 drains: what runs is finished, what comes is refused, what takes too long is given back', async () => {
    const inbox = memoryInbox()
    const finish: (() => void)[] = []
    const shop = openShop([order()], {
      inbox,
      drainTimeoutMs: 5000,
      onPaid: {
        running: () => new Promise<void>((resolve) => void finish.push(resolve)),
        stuck: () => new Promise(() => undefined),
      },
    })
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.receiver.close()
    expect(await shop.send(transferCompleted({ txHash: 'tx-3' }))).toMatchObject({
      status: 503,
      decision: { reason: 'closing' },
    })
    for (const resolve of finish) resolve()
    await shop.clock.advance(5000)
    await closed
    const handlers = ['onPaid.running', 'onPaid.stuck']
    const nowMs = shop.clock.nowMs()
    const left = await inbox.claimTasks({ handlers, nowMs, leaseUntilMs: nowMs + 1, limit: 10 })
    expect(left).toMatchObject([{ handler: 'onPaid.stuck', attempt: 2 }])
  })

  it('waits on close for a handler that has just become due', async () => {
    const shop = openShop()
    await shop.send(transferCompleted())
    await shop.receiver.close()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('runs on close all handlers that are due, when the inbox would forget them', async () => {
    const references = Array.from({ length: 40 }, (_, index) => `order-${index}`)
    const shop = openShop(references.map((reference) => order({ reference })))
    await Promise.all(
      references.map((reference) => shop.send(transferCompleted({ reference, txHash: reference }))),
    )
    await shop.receiver.close()
    expect(shop.shipped).toHaveLength(40)
    expect(new Set(shop.shipped)).toEqual(new Set(references))
  })

  it('closes within the time to drain, whatever hangs', async () => {
    const orders = {
      ...memoryOrderRepository(),
      findByReference: () => new Promise<never>(() => undefined),
    }
    const shop = openShop([], { orders, drainTimeoutMs: 5000 })
    void shop.send(transferCompleted())
    let isClosed = false
    void shop.receiver.close().then(() => (isClosed = true))
    await shop.clock.advance(4999)
    expect(isClosed).toBe(false)
    await shop.clock.advance(1)
    expect(isClosed).toBe(true)
  })

  it('decides nothing before it is started, when handlers are registered later', async () => {
    const shop = openShop([order()], { autoStart: false, onPaid: undefined })
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 503,
      decision: { reason: 'starting' },
    })
    const seen: string[] = []
    shop.receiver.addHandler('onPaid', ({ order: paid }) => seen.push(paid.reference), {
      name: 'Shop.paid',
    })
    shop.receiver.start()
    expect((await shop.send(transferCompleted())).status).toBe(200)
    await shop.settle()
    expect(seen).toEqual(['order-1'])
  })
})
