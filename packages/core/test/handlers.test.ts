import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { memoryInbox, memoryOrderRepository, type HandlerContext } from '@tonplug/core'
import { signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, SECRET } from './shop.js'

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

  it.each([
    { deaths: 22, runs: [23], dead: [] },
    { deaths: 23, runs: [], dead: ['onPaid'] },
  ])('S50 buries a handler that ended $deaths processes, or runs it: $runs', async (expected) => {
    const inbox = memoryInbox()
    const options = { inbox, orders: memoryOrderRepository([order()]) }
    const dying = openShop([], { ...options, onPaid: () => new Promise(() => undefined) })
    await dying.send(transferCompleted())
    await dying.settle()
    // What processes leave behind that end in the middle: attempts without an end.
    const nowMs = dying.clock.nowMs() + 60_000
    const claim = { receiver: 'default', handlers: ['onPaid'], nowMs, leaseUntilMs: nowMs }
    for (let death = 1; death < expected.deaths; death++) {
      expect(await inbox.claimTasks({ ...claim, limit: 1 })).toMatchObject([{ attempt: death + 1 }])
    }
    const runs: number[] = []
    const next = openShop([], {
      ...options,
      handlerRetry: { maxAttempts: 3 },
      onPaid: (_, { attempt }) => void runs.push(attempt),
    })
    await next.clock.advance(70_000)
    expect(runs).toEqual(expected.runs)
    const dead = await inbox.listDead({ limit: 10 })
    expect(dead.map(({ handler }) => handler)).toEqual(expected.dead)
  })

  it('keeps the lease of a handler that takes long, and runs it once', async () => {
    let runs = 0
    const shop = openShop([order()], {
      handlerTimeoutMs: 3_600_000,
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

  it('S51 takes the time that a request was held up before off the deadline', async () => {
    const orders = {
      ...memoryOrderRepository(),
      findByReference: () => new Promise<never>(() => undefined),
    }
    const shop = openShop([], { orders })
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    const answer = shop.receiver.receive({ headers, rawBody: body, elapsedMs: 7000 })
    await shop.clock.advance(1000)
    expect(await answer).toMatchObject({ status: 503, decision: { reason: 'deadline' } })
  })

  it('S52 closes also when nothing but the drain keeps the process alive', async () => {
    const script = `
      import { createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
      import { signPayload, transferCompleted } from '@tonplug/testing'
      const order = { reference: 'order-1', rawAmount: 10500000000n, asset: 'TON', status: 'pending' }
      const quiet = { debug() {}, info() {}, warn() {}, error() {} }
      const receiver = createWebhookReceiver({
        secrets: 'whsec_child',
        orders: memoryOrderRepository([order]),
        onPaid: () => new Promise(() => undefined),
        drainTimeoutMs: 100,
        logger: quiet,
      })
      const { body, headers } = signPayload(transferCompleted(), 'whsec_child')
      await receiver.receive({ headers, rawBody: body })
      await receiver.close()
      console.log('closed')`
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
    })
    expect(await run).toMatchObject({ stdout: 'closed\n' })
  }, 30_000)

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
    const left = await inbox.claimTasks({
      receiver: 'default',
      handlers,
      nowMs,
      leaseUntilMs: nowMs + 1,
      limit: 10,
    })
    expect(left).toMatchObject([{ handler: 'onPaid.stuck', attempt: 2 }])
  })

  it('says on close what an inbox loses that forgets, and promises no other run', async () => {
    const handlers = {
      stuck: () => new Promise<void>(() => undefined),
      failing: () => Promise.reject(new Error('carrier 502')),
    }
    const shop = openShop([order()], { drainTimeoutMs: 5000, onPaid: handlers })
    await shop.send(transferCompleted())
    await shop.send(transferCompleted({ reference: 'unknown', txHash: 'tx-2' }))
    await shop.settle()
    const closed = shop.receiver.close()
    await shop.clock.advance(5000)
    await closed
    expect(shop.logger.lines.slice(-2)).toMatchObject([
      {
        message:
          'a handler was still running at the end of the drain; the inbox forgets it with the process',
        fields: { handler: 'onPaid.stuck' },
      },
      {
        level: 'error',
        message: 'what the inbox still holds is lost when the process ends',
        fields: { undecided: 0, parked: 1, open: 2 },
      },
    ])
  })

  it('says on close that a durable inbox runs a handler again, and nothing of a loss', async () => {
    const shop = openShop([order()], {
      inbox: { ...memoryInbox(), isDurable: true },
      drainTimeoutMs: 5000,
      onPaid: () => new Promise<void>(() => undefined),
    })
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.receiver.close()
    await shop.clock.advance(5000)
    await closed
    expect(shop.logger.lines.at(-1)).toMatchObject({
      level: 'warn',
      message: 'a handler was still running at the end of the drain; it runs again',
    })
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

  it('runs no handler after close, and none that succeeded again', async () => {
    let runs = 0
    const shop = openShop([order()], {
      drainTimeoutMs: 5000,
      onPaid: () =>
        new Promise<void>((resolve) => {
          runs++
          shop.clock.setTimer(resolve, 6000)
        }),
    })
    await shop.send(transferCompleted())
    const closed = shop.receiver.close()
    await shop.clock.advance(5000)
    await closed
    await shop.clock.advance(600_000)
    expect(runs).toBe(1)
  })

  it('takes a handler that hangs for failed, tells it, and lets others run', async () => {
    const aborted: boolean[] = []
    const references = Array.from({ length: 17 }, (_, index) => `order-${index}`)
    const shop = openShop(
      references.map((reference) => order({ reference })),
      {
        handlerTimeoutMs: 60_000,
        handlerRetry: { maxAttempts: 1 },
        onFailed: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => aborted.push(true))
          }),
      },
    )
    const [paid = '', ...failed] = references
    for (const reference of failed)
      await shop.send(transferFailed({ reference, txHash: reference }))
    await shop.settle()
    await shop.send(transferCompleted({ reference: paid }))
    await shop.settle()
    expect(shop.shipped).toEqual([])
    await shop.clock.advance(65_000)
    expect(aborted).toHaveLength(16)
    expect(shop.shipped).toEqual([paid])
  })

  it('survives a handler that throws what is no error', async () => {
    const inbox = memoryInbox()
    const thrown: unknown[] = [Object.create(null), undefined, 5, Symbol('odd')]
    const shop = openShop([order()], {
      inbox,
      handlerRetry: { maxAttempts: 4, minDelayMs: 1000 },
      onPaid: (_, { attempt }) => {
        throw thrown[attempt - 1]
      },
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(60_000)
    expect(await inbox.listDead({ limit: 10 })).toMatchObject([
      { attempts: 4, error: 'Symbol(odd)' },
    ])
  })

  it('only makes deliveries due when the shop matches a reference before the start', async () => {
    const inbox = memoryInbox()
    const orders = memoryOrderRepository()
    const first = openShop([], { inbox, orders })
    await first.send(transferCompleted())
    orders.add(order())
    const second = openShop([], { inbox, orders, autoStart: false, onPaid: undefined })
    expect(await second.receiver.matchReference('order-1')).toBe(1)
    expect(orders.all()).toMatchObject([{ status: 'pending' }])
    const seen: string[] = []
    second.receiver.addHandler('onPaid', ({ order: paid }) => seen.push(paid.reference))
    second.receiver.start()
    await second.settle()
    expect(seen).toEqual(['order-1'])
  })

  it('cannot be started again after close, and closes once', async () => {
    const shop = openShop()
    const closed = shop.receiver.close()
    expect(shop.receiver.close()).toBe(closed)
    await closed
    expect(() => shop.receiver.start()).toThrow(/was closed; create a new one/)
    expect((await shop.send(transferCompleted())).status).toBe(503)
  })

  it('keeps the handlers of receivers that share an inbox apart', async () => {
    const inbox = memoryInbox()
    const shops = ['mainnet', 'testnet'].map((name) => openShop([order()], { name, inbox }))
    const [mainnet, testnet] = shops
    await mainnet?.send(transferCompleted())
    for (const shop of shops) await shop.clock.advance(60_000)
    expect([mainnet?.shipped, testnet?.shipped]).toEqual([['order-1'], []])
    expect(await testnet?.decide(transferCompleted())).toBe('paid')
    await testnet?.settle()
    expect([mainnet?.shipped, testnet?.shipped]).toEqual([['order-1'], ['order-1']])
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
