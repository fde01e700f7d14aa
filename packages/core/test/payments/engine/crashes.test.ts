import { memoryOrderRepository, type Inbox } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

/** Wraps an inbox so that the first call of a method fails: before its work, or after it, like a lost connection. */
const failingOnce = (method: 'store' | 'decide', moment: 'before' | 'after') => (inbox: Inbox) => {
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
  const { reports } = inbox
  return {
    ...inbox,
    reports: {
      ...reports,
      ...(method === 'store'
        ? { store: failing((...call: Parameters<typeof reports.store>) => reports.store(...call)) }
        : {
            decide: failing((...call: Parameters<typeof reports.decide>) =>
              reports.decide(...call),
            ),
          }),
    },
  }
}

describe('a store that fails', () => {
  it.each([
    ['store', 'before'],
    ['store', 'after'],
    ['decide', 'before'],
    ['decide', 'after'],
  ] as const)(
    'S45 S46 responds with 503 when %s fails %s its work, and the retry pays once',
    async (method, moment) => {
      const shop = openShop([order()], { inbox: failingOnce(method, moment) })
      expect(await shop.send(transferCompleted())).toMatchObject({
        status: 503,
        decision: { reason: 'store' },
      })
      expect((await shop.send(transferCompleted())).status).toBe(200)
      await shop.settle()
      expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
      expect(shop.shipped).toEqual(['order-1'])
    },
  )

  it('S46 is repaired without a retry of the gateway', async () => {
    const shop = openShop([order()], { inbox: failingOnce('decide', 'before') })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    await shop.clock.advance(40_000)
    expect(shop.shipped).toEqual(['order-1'])
    expect(await shop.decide(transferCompleted())).toBe('duplicate')
  })

  it('S46 runs the handlers when the result of the transition was lost', async () => {
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

  it('S48 responds with 503 while the orders cannot be read', async () => {
    const down = {
      ...memoryOrderRepository(),
      find: () => Promise.reject(new Error('down')),
    }
    const shop = openShop([], { orders: down })
    for (let attempt = 0; attempt < 4; attempt++) {
      expect(await shop.send(transferCompleted())).toMatchObject({
        status: 503,
        body: '{"ok":false}',
      })
    }
  })

  it('S46 runs the handlers after a crash when the orders do not return their payment', async () => {
    const orders = memoryOrderRepository([order()])
    const shop = openShop([], {
      inbox: failingOnce('decide', 'before'),
      orders: {
        ...orders,
        find: async (reference) => {
          const found = await orders.find(reference)
          return found === null ? null : { ...found, payment: undefined }
        },
      },
    })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    expect(await shop.decide(transferCompleted())).toBe('paid')
    expect(await shop.decide(transferCompleted({ senderAddr: 'other' }))).toBe('duplicate')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S48 stores an undecided report and decides it when the orders are reachable', async () => {
    const orders = memoryOrderRepository([order()])
    let isDown = true
    const shop = openShop([], {
      orders: {
        ...orders,
        find: (reference) => (isDown ? Promise.reject(new Error('down')) : orders.find(reference)),
      },
    })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    isDown = false
    await shop.clock.advance(40_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S58 runs no handler again for a repetition after the retention whose order cannot be read', async () => {
    const orders = memoryOrderRepository([order()])
    let isDown = false
    const shop = openShop([], {
      retentionMs: 86_400_000,
      orders: {
        ...orders,
        find: (reference) => (isDown ? Promise.reject(new Error('down')) : orders.find(reference)),
      },
    })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.clock.advance(90_000_000)
    isDown = true
    expect((await shop.send(transferCompleted())).status).toBe(503)
    expect(await createOperator({ payments: shop.payments }).list()).toHaveLength(1)
    isDown = false
    expect(await shop.decide(transferCompleted())).toBe('duplicate')
    await shop.clock.advance(60_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S46 runs the handler of an order that a killed process has completed after it read the report again', async () => {
    const orders = memoryOrderRepository([order()])
    let finds = 0
    let inbox: Inbox | undefined
    const shop = openShop([], {
      inbox: (memory) => (inbox = memory),
      orders: {
        ...orders,
        async find(key) {
          if (++finds === 1) throw new Error('down')
          if (finds === 2) await readAndComplete()
          return orders.find(key)
        },
      },
    })
    const readAndComplete = async (): Promise<void> => {
      const [report] = await createOperator({ payments: shop.payments }).list()
      const { reference, txHash, rawAmount, ...others } = transferCompleted().data
      const reading = { reference, txHash, wasCompletedBefore: false }
      await inbox?.reports.reread(report?.reportId ?? '', reading)
      const payment = { ...others, txHash, rawAmount: BigInt(rawAmount), isLate: false }
      await orders.complete({ reference, merchant: '' }, { ...payment, source: 'webhook' })
    }
    expect((await shop.send(transferCompleted())).status).toBe(503)
    await shop.clock.advance(60_000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('retries an undecidable report with backoff', async () => {
    const attempts: number[] = []
    const shop = openShop([], {
      orders: {
        ...memoryOrderRepository(),
        find: () => {
          attempts.push(shop.clock.nowMs())
          return Promise.reject(new Error('down'))
        },
      },
    })
    const start = shop.clock.nowMs()
    await shop.send(transferCompleted())
    await shop.clock.advance(600_000)
    const minutes = attempts.map((ms) => (ms - start) / 60_000)
    expect(minutes).toEqual([0, 0.5, 1, 2, 4, 8])
  })

  it('logs only the first line of a driver error, without the body', async () => {
    const leaking = (inbox: Inbox): Inbox => ({
      ...inbox,
      reports: {
        ...inbox.reports,
        store: (report) =>
          Promise.reject(new Error(`Failed query: insert\nparams: ${report.rawBody}`)),
      },
    })
    const shop = openShop([order()], { inbox: leaking })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    const [line] = shop.logger.lines.filter(({ level }) => level === 'error')
    expect(line).toMatchObject({
      fields: { error: { cause: { message: 'Failed query: insert' } } },
    })
  })

  it('decides when the logger throws', async () => {
    const fail = (): never => {
      throw new Error('disk is full')
    }
    const logger = { debug: fail, info: fail, warn: fail, error: fail }
    const shop = openShop([order()], { logger })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    expect((await shop.send(transferCompleted(), 'whsec_core_wrong')).status).toBe(401)
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S58 prevents a second effect by the order when the inbox was purged', async () => {
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
