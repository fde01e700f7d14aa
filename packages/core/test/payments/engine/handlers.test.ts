import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  createTransferReport,
  handlerTaskKey,
  memoryInbox,
  memoryOrderRepository,
  type HandlerContext,
  type Inbox,
} from '@tonplug/core'
import { createFakeClock, signPayload, transferCompleted, transferFailed } from '@tonplug/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openShop, order, SECRET } from '../shop.js'

function durable(inbox: Inbox): Inbox {
  return { ...inbox, isDurable: true }
}

/** Opens a shop whose process is killed while its handler runs: its clock stops, so its lease is not renewed. */
function openDying() {
  const clock = createFakeClock()
  const inbox = durable(memoryInbox({ clock }))
  const options = { inbox, orders: memoryOrderRepository([order()]) }
  const stopped = createFakeClock()
  const dying = openShop([], {
    ...options,
    clock: stopped,
    onPaid: () => new Promise(() => undefined),
  })
  const die = async (): Promise<void> => {
    await dying.send(transferCompleted())
    await dying.settle()
  }
  return { clock, options, die }
}

describe('handlers', () => {
  it('S50 retries a failing handler with backoff up to a dead letter, and runs the others once', async () => {
    const runs: number[] = []
    let mails = 0
    const shop = openShop([order()], {
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
    expect(await shop.inbox.tasks.listDead({ limit: 10 })).toMatchObject([
      { handler: 'onPaid.ship', attempts: 4, error: 'carrier is closed' },
    ])
  })

  it('S47 runs a handler of a killed process again within 20 seconds, with the same key', async () => {
    const contexts: HandlerContext[] = []
    const { clock, options, die } = openDying()
    await die()
    openShop([], { ...options, clock, onPaid: (_, context) => void contexts.push(context) })
    await clock.advance(11_000)
    expect(contexts).toEqual([])
    await clock.advance(9000)
    const { txHash } = transferCompleted().data
    const key = { name: 'default', merchant: '', reference: 'order-1', txHash }
    expect(contexts).toMatchObject([{ idempotencyKey: handlerTaskKey('onPaid', key), attempt: 2 }])
  })

  it.each([
    { deaths: 22, runs: [23], dead: [] },
    { deaths: 23, runs: [], dead: ['onPaid'] },
  ])(
    'S50 runs a handler that ended $deaths processes as attempts $runs, with the dead letters $dead',
    async (expected) => {
      const { clock, options, die } = openDying()
      await die()
      await clock.advance(20_000)
      const { inbox } = options
      const claim = { name: 'default', limits: { onPaid: 1 }, leaseMs: 0 }
      for (let death = 1; death < expected.deaths; death++) {
        expect(await inbox.tasks.claim(claim)).toMatchObject([{ attempt: death + 1 }])
      }
      const runs: number[] = []
      openShop([], {
        ...options,
        clock,
        handlerRetry: { maxAttempts: 3 },
        onPaid: (_, { attempt }) => void runs.push(attempt),
      })
      await clock.advance(70_000)
      expect(runs).toEqual(expected.runs)
      const dead = await inbox.tasks.listDead({ limit: 10 })
      expect(dead.map(({ handler }) => handler)).toEqual(expected.dead)
    },
  )

  it('renews the lease of a long run, and runs the handler once', async () => {
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

  it('S51 responds before a slow handler ends', async () => {
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

  it('S51 responds with 503 when a store takes nine seconds, and with duplicate on the retry after its commit', async () => {
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

  it('S51 subtracts the delay before the receiver from the deadline', async () => {
    const orders = {
      ...memoryOrderRepository(),
      find: () => new Promise<never>(() => undefined),
    }
    const shop = openShop([], { orders })
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    const answer = shop.receiver.receive({ headers, rawBody: body, elapsedMs: 7000 })
    await shop.clock.advance(1000)
    expect(await answer).toMatchObject({ status: 503, decision: { reason: 'deadline' } })
  })

  it('S52 closes when only the drain keeps the process alive', async () => {
    const script = `
      import { createPayments, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
      import { signPayload, transferCompleted } from '@tonplug/testing'
      const order = { reference: 'order-1', rawAmount: 10500000000n, asset: 'TON', status: 'pending' }
      const quiet = { debug() {}, info() {}, warn() {}, error() {} }
      const payments = createPayments({
        orders: memoryOrderRepository([order]),
        onPaid: () => new Promise(() => undefined),
        drainTimeoutMs: 100,
        logger: quiet,
      })
      const receiver = createWebhookReceiver({ payments, secrets: 'whsec_child' })
      const { body, headers } = signPayload(transferCompleted(), 'whsec_child')
      await receiver.receive({ headers, rawBody: body })
      await receiver.close()
      await payments.close()
      console.log('closed')`
    const cwd = fileURLToPath(new URL('..', import.meta.url))
    const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd,
    })
    expect(await run).toMatchObject({ stdout: 'closed\n' })
  })

  it('S52 finishes running handlers, rejects new requests, and releases the tasks of handlers that hang', async () => {
    const finish: (() => void)[] = []
    const shop = openShop([order()], {
      drainTimeoutMs: 5000,
      onPaid: {
        running: () => new Promise<void>((resolve) => void finish.push(resolve)),
        stuck: () => new Promise(() => undefined),
      },
    })
    await shop.send(transferCompleted())
    await shop.settle()
    await shop.receiver.close()
    const closed = shop.payments.close()
    expect(await shop.send(transferCompleted({ txHash: 'tx-3' }))).toMatchObject({
      status: 503,
      decision: { reason: 'closing' },
    })
    for (const resolve of finish) resolve()
    await shop.clock.advance(6000)
    await closed
    const limits = { 'onPaid.running': 10, 'onPaid.stuck': 10 }
    const left = await shop.inbox.tasks.claim({ name: 'default', limits, leaseMs: 1 })
    expect(left).toMatchObject([{ handler: 'onPaid.stuck', attempt: 2 }])
  })

  it('S52 responds with 503 when Payments is closed while the body is read', async () => {
    const shop = openShop([order()])
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    let arrive = (): void => undefined
    const bytes = new TextEncoder().encode(body)
    const rawBody = () => new Promise<Uint8Array>((resolve) => (arrive = () => resolve(bytes)))
    const answer = shop.receiver.receive({ headers, rawBody })
    await shop.payments.close()
    arrive()
    expect(await answer).toMatchObject({ status: 503, decision: { reason: 'closing' } })
    expect(shop.orders.all()).toMatchObject([{ status: 'pending' }])
  })

  it.each([
    [
      'development',
      'warn',
      'inbox is lost when the process ends; use a durable inbox in production',
    ],
    [
      'production',
      'error',
      'inbox is lost when the process ends, and NODE_ENV is production; use a durable inbox, for example postgresInbox(pool)',
    ],
  ])('logs that an inbox in memory is lost, in %s as %s', (environment, level, message) => {
    vi.stubEnv('NODE_ENV', environment)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { logger } = openShop()
    expect(logger.lines).toEqual([{ level, message, fields: { inbox: 'memory' } }])
    expect(openShop([], { inbox: durable }).logger.lines).toEqual([])
  })

  it('logs the notices of its inbox', () => {
    const onNotice = (log: (message: string) => void) => log('the schema is older')
    const { logger } = openShop([], { inbox: (inner) => ({ ...durable(inner), onNotice }) })
    const fields = { inbox: 'memory' }
    expect(logger.lines).toEqual([{ level: 'warn', message: 'the schema is older', fields }])
  })

  it('logs on close the work that is lost with a memory inbox', async () => {
    const handlers = {
      stuck: () => new Promise<void>(() => undefined),
      failing: () => Promise.reject(new Error('carrier 502')),
    }
    const shop = openShop([order()], { drainTimeoutMs: 5000, onPaid: handlers })
    await shop.send(transferCompleted())
    await shop.send(transferCompleted({ reference: 'unknown', txHash: 'tx-2' }))
    await shop.settle()
    await shop.close()
    expect(shop.logger.lines.slice(-2)).toMatchObject([
      {
        level: 'warn',
        message: 'handler stopped with its process',
        fields: { handler: 'onPaid.stuck', runsAgain: false },
      },
      {
        level: 'error',
        message: 'unfinished work is lost when the process ends',
        fields: { undecided: 0, parked: 1, open: 2 },
      },
    ])
  })

  it('logs on close that a durable inbox runs a handler again', async () => {
    const shop = openShop([order()], {
      inbox: durable,
      drainTimeoutMs: 5000,
      onPaid: () => new Promise<void>(() => undefined),
    })
    await shop.send(transferCompleted())
    await shop.settle()
    await shop.close()
    expect(shop.logger.lines.at(-1)).toMatchObject({
      level: 'warn',
      message: 'handler stopped with its process',
      fields: { runsAgain: true },
    })
  })

  it('runs a due handler on close', async () => {
    const shop = openShop()
    await shop.send(transferCompleted())
    await shop.close()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('runs all due handlers on close with a memory inbox', async () => {
    const references = Array.from({ length: 40 }, (_, index) => `order-${index}`)
    const shop = openShop(references.map((reference) => order({ reference })))
    await Promise.all(
      references.map((reference) => shop.send(transferCompleted({ reference, txHash: reference }))),
    )
    await shop.close()
    expect(shop.shipped).toHaveLength(40)
    expect(new Set(shop.shipped)).toEqual(new Set(references))
  })

  it('closes when an inbox in memory fails', async () => {
    const claimTasks = () => Promise.reject(new Error('PGlite is closed'))
    const inbox = (memory: Inbox): Inbox => ({
      ...memory,
      tasks: { ...memory.tasks, claim: claimTasks },
    })
    let observed = 0
    const payments = () => {
      observed++
      return () => void observed--
    }
    const shop = openShop([order()], { inbox, instrumentation: { payments } })
    await shop.send(transferCompleted())
    await expect(shop.payments.close()).resolves.toBeUndefined()
    expect(observed).toBe(0)
    expect(shop.logger.lines.at(-1)).toMatchObject({
      level: 'error',
      message: 'unfinished work is lost when the process ends',
      fields: { open: 1 },
    })
  })

  it('closes within drainTimeoutMs when an order look-up hangs', async () => {
    const orders = {
      ...memoryOrderRepository(),
      find: () => new Promise<never>(() => undefined),
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

  it('runs no handler after close', async () => {
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
    await shop.settle()
    await shop.close()
    await shop.clock.advance(600_000)
    expect(runs).toBe(1)
  })

  it('S77 starts other handlers within one second while one hangs, and aborts it at its timeout', async () => {
    const aborted: unknown[] = []
    const references = Array.from({ length: 17 }, (_, index) => `order-${index}`)
    const shop = openShop(
      references.map((reference) => order({ reference })),
      {
        handlerTimeoutMs: 60_000,
        handlerRetry: { maxAttempts: 1 },
        onFailed: (_, { signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => aborted.push(signal.reason))
          }),
      },
    )
    const [paid = '', ...failed] = references
    for (const reference of failed)
      await shop.send(transferFailed({ reference, txHash: reference }))
    await shop.settle()
    await shop.send(transferCompleted({ reference: paid }))
    await shop.clock.advance(1000)
    expect(shop.shipped).toEqual([paid])
    expect(aborted).toEqual([])
    await shop.clock.advance(125_000)
    expect(aborted).toHaveLength(16)
    expect(aborted[0]).toEqual(new Error('onFailed took longer than 60000 ms'))
  })

  it('S77 starts a handler of another process within the poll interval while one hangs', async () => {
    const clock = createFakeClock()
    const inbox = durable(memoryInbox({ clock }))
    const orders = memoryOrderRepository([order()])
    const mails: string[] = []
    const hang = (): Promise<never> => new Promise(() => undefined)
    const shared = { clock, inbox, orders }
    const first = openShop([], { ...shared, onPaid: { ship: hang } })
    openShop([], {
      ...shared,
      onPaid: { mail: ({ order: paid }) => void mails.push(paid.reference) },
    })
    await clock.advance(0)
    await first.send(transferCompleted())
    await clock.advance(5000)
    expect(mails).toEqual(['order-1'])
  })

  it('retries a handler that throws a value that is not an Error', async () => {
    const thrown: unknown[] = [Object.create(null), undefined, 5, Symbol('odd')]
    const shop = openShop([order()], {
      handlerRetry: { maxAttempts: 4, minDelayMs: 1000 },
      onPaid: (_, { attempt }) => {
        throw thrown[attempt - 1]
      },
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(60_000)
    expect(await shop.inbox.tasks.listDead({ limit: 10 })).toMatchObject([
      { attempts: 4, error: 'Symbol(odd)' },
    ])
  })

  it('makes reports due, and decides none, when orderCreated is called before start', async () => {
    const orders = memoryOrderRepository()
    const first = openShop([], { orders })
    const { inbox, clock } = first
    await first.send(transferCompleted())
    await first.settle()
    orders.add(order())
    const second = openShop([], { inbox, clock, orders, autoStart: false, onPaid: undefined })
    expect(await second.payments.orderCreated('order-1')).toBe(1)
    expect(orders.all()).toMatchObject([{ status: 'pending' }])
    const seen: string[] = []
    second.payments.addHandler('onPaid', ({ order: paid }) => seen.push(paid.reference))
    second.payments.start()
    await second.settle()
    expect(seen).toEqual(['order-1'])
  })

  it('keeps the order of a dead letter that no longer exists in its error', async () => {
    const orders = memoryOrderRepository([order()])
    let isDeleted = false
    const shop = openShop([], {
      orders: {
        ...orders,
        find: async (key) => (isDeleted ? null : orders.find(key)),
        async complete(key, payment) {
          isDeleted = true
          return orders.complete(key, payment)
        },
      },
      handlerRetry: { maxAttempts: 1 },
    })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.settle()
    expect(shop.shipped).toEqual([])
    expect(await shop.inbox.tasks.listDead({ limit: 10 })).toMatchObject([
      { error: expect.stringContaining('the order "order-1" no longer exists') },
    ])
  })

  it('cannot be started again after close, and closes once', async () => {
    const shop = openShop()
    const closed = shop.payments.close()
    expect(shop.payments.close()).toBe(closed)
    await closed
    expect(() => shop.payments.start()).toThrow(/was closed; create a new one/)
    expect((await shop.send(transferCompleted())).status).toBe(503)
  })

  it.each(['memory', 'durable'])(
    'rejects a report after close with an inbox that is %s',
    async (kind) => {
      const shop = openShop([order()], kind === 'durable' ? { inbox: durable } : {})
      await shop.payments.close()
      const report = createTransferReport(transferCompleted().data, { source: 'chain' })
      await expect(shop.payments.submit(report)).rejects.toThrow('Payments was closed')
      expect(await shop.inbox.stats()).toMatchObject({ undecided: 0 })
    },
  )

  it('rejects a report before start that its inbox would lose, and stores it in a durable one', async () => {
    const report = createTransferReport(transferCompleted().data, { source: 'chain' })
    const idle = openShop([order()], { autoStart: false })
    await expect(idle.payments.submit(report)).rejects.toThrow(
      'Payments has not been started, and its inbox is lost with the process',
    )
    const stored = openShop([order()], { autoStart: false, inbox: durable })
    expect(await stored.payments.submit(report)).toBeUndefined()
    expect(await stored.inbox.stats()).toMatchObject({ undecided: 1 })
  })

  it('rejects a second handler of the same name', () => {
    const { payments } = openShop()
    const add = () => payments.addHandler('onPaid', () => undefined)
    expect(add).toThrow('is registered already; give each handler of an event its own name')
    payments.addHandler('onPaid', () => undefined, { name: 'mail' })
  })

  it('runs the handlers of its own name only', async () => {
    const clock = createFakeClock()
    const inbox = memoryInbox({ clock })
    const shops = ['mainnet', 'testnet'].map((name) => openShop([order()], { name, inbox, clock }))
    const [mainnet, testnet] = shops
    await mainnet?.send(transferCompleted())
    await clock.advance(60_000)
    expect([mainnet?.shipped, testnet?.shipped]).toEqual([['order-1'], []])
    expect(await testnet?.decide(transferCompleted())).toBe('paid')
    await testnet?.settle()
    expect([mainnet?.shipped, testnet?.shipped]).toEqual([['order-1'], ['order-1']])
  })

  it('decides nothing before start', async () => {
    const shop = openShop([order()], { autoStart: false, onPaid: undefined })
    expect(await shop.send(transferCompleted())).toMatchObject({
      status: 503,
      decision: { reason: 'starting' },
    })
    const seen: string[] = []
    shop.payments.addHandler('onPaid', ({ order: paid }) => seen.push(paid.reference), {
      name: 'Shop.paid',
    })
    shop.payments.start()
    expect((await shop.send(transferCompleted())).status).toBe(200)
    await shop.settle()
    expect(seen).toEqual(['order-1'])
  })
})
