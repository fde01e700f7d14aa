import { getEventListeners } from 'node:events'
import { memoryInbox, type Inbox, type TaskQueue, type TaskWorker } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type Shop, type ShopOptions } from '../shop.js'

/** A queue that runs each job as soon as it is added. */
function immediateQueue(): TaskQueue {
  let worker: TaskWorker | undefined
  return {
    name: 'immediate',
    add: async (tasks) => {
      for (const task of tasks) await worker?.run(task, { attempt: 1 })
    },
    work: (given) => {
      worker = given
      return Promise.resolve({ stop: () => Promise.resolve() })
    },
  }
}

describe('a job of a queue engine', () => {
  it('keeps no listener on its signal after it has ended', async () => {
    const signals: AbortSignal[] = []
    const shop = openShop([order()], {
      queue: immediateQueue(),
      onPaid: (_, { signal }) => void signals.push(signal),
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(5000)
    expect(signals).toHaveLength(1)
    expect(signals.flatMap((signal) => getEventListeners(signal, 'abort'))).toEqual([])
  })
})

describe('a run of a job', () => {
  const task = {
    name: 'default',
    merchant: '',
    handler: 'onPaid',
    reference: 'order-1',
    txHash: 'a'.repeat(64),
    reportId: 'report-1',
    idempotencyKey: 'key-1',
  }

  /** Returns the worker that Payments passes to its engine. */
  async function workerOf(options: ShopOptions): Promise<TaskWorker> {
    const workers: TaskWorker[] = []
    const engine = immediateQueue()
    const work = (worker: TaskWorker) => {
      workers.push(worker)
      return engine.work(worker)
    }
    const shop = openShop([order()], { ...options, queue: { ...engine, work } })
    await shop.settle()
    expect(workers).toHaveLength(1)
    return workers[0]!
  }

  it('S111 fails with the name of a handler that is not registered', async () => {
    const worker = await workerOf({ onPaid: { ship: () => undefined } })
    expect(worker.handlers).toEqual(['onPaid.ship'])
    await expect(
      worker.run({ ...task, handler: 'onPaid.renamed' }, { attempt: 1 }),
    ).rejects.toThrow('no handler is registered as onPaid.renamed; was it renamed or removed?')
  })

  it('S111 does not start when the engine has aborted its signal', async () => {
    const seen: number[] = []
    const worker = await workerOf({ onPaid: (_, { attempt }) => void seen.push(attempt) })
    const signal = AbortSignal.abort(new Error('job cancelled'))
    await expect(worker.run(task, { attempt: 1, signal })).rejects.toThrow('job cancelled')
    expect(seen).toEqual([])
  })
})

describe('a failed job that an operator retries', () => {
  /** Fails the job of a payment for the last time, and returns a function that retries it. */
  async function openFailed(engine: Partial<TaskQueue>) {
    let isFixed = false
    const added: string[] = []
    const immediate = immediateQueue()
    const shop: Shop = openShop([order()], {
      queue: {
        ...immediate,
        add: async (tasks, retry) => {
          added.push(...tasks.map(({ handler }) => handler))
          // The job runs after it was stored.
          const run = () => void immediate.add(tasks, retry).catch(() => undefined)
          shop.clock.setTimer(run, 10)
        },
        ...engine,
      },
      handlerRetry: { maxAttempts: 1 },
      onPaid: () => {
        if (!isFixed) throw new Error('carrier 502')
        shop.shipped.push('order-1')
      },
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(1000)
    expect(await shop.inbox.tasks.listDead({ limit: 10 })).toMatchObject([{ error: 'carrier 502' }])
    isFixed = true
    const [report] = await createOperator({ payments: shop.payments }).list()
    const retry = () =>
      createOperator({ payments: shop.payments }).retry(
        { reportId: report!.reportId },
        { by: 'ann' },
      )
    return { shop, added, retry }
  }

  it('S111 is added again at once to an engine without addAgain', async () => {
    const { shop, added, retry } = await openFailed({})
    expect(await retry()).toBe(1)
    await shop.settle()
    expect(added).toEqual(['onPaid', 'onPaid'])
    await shop.clock.advance(10)
    expect(shop.shipped).toEqual(['order-1'])
    expect(await shop.inbox.stats()).toMatchObject({ open: 0, relayed: 0, dead: 0 })
  })

  it.each([
    ['done', { open: 0, relayed: 0, dead: 0 }],
    ['added', { open: 0, relayed: 1, dead: 0 }],
  ] as const)('S111 is %s when addAgain returns that', async (result, stats) => {
    const again: string[] = []
    const { shop, added, retry } = await openFailed({
      addAgain: async ({ reference }) => {
        again.push(reference)
        return result
      },
    })
    expect(await retry()).toBe(1)
    await shop.settle()
    expect([added, again]).toEqual([['onPaid'], ['order-1']])
    expect(await shop.inbox.stats()).toMatchObject(stats)
    expect(await shop.payments.health()).toMatchObject({ status: 'up' })
  })

  it('S111 is added every five seconds until the engine accepts it', async () => {
    let refusals = 2
    const { shop, retry } = await openFailed({
      addAgain: async () => {
        if (refusals-- > 0) throw new Error('redis://:hunter2@host')
        return 'done'
      },
    })
    expect(await retry()).toBe(1)
    await shop.clock.advance(6000)
    expect(await shop.payments.health()).toMatchObject({
      status: 'degraded',
      open: 1,
      message: 'immediate has refused the last tasks; the log has its error',
    })
    await shop.clock.advance(6000)
    expect(await shop.payments.health()).toMatchObject({ status: 'up', open: 0, relayed: 0 })
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'tasks not handed to the queue; trying again',
        fields: expect.objectContaining({ queue: 'immediate', tasks: 1 }),
      }),
    )
  })
})

describe('the health of Payments with a queue engine', () => {
  it('S111 is degraded while the engine refuses tasks', async () => {
    let isRefusing = true
    const engine = immediateQueue()
    const shop = openShop([order()], {
      queue: {
        ...engine,
        add: (...given) =>
          isRefusing ? Promise.reject(new Error('redis://:hunter2@host')) : engine.add(...given),
      },
      onPaid: () => undefined,
    })
    await shop.clock.advance(1000)
    expect(await shop.payments.health()).toMatchObject({ status: 'up' })
    await shop.send(transferCompleted())
    await shop.clock.advance(1000)
    expect(await shop.payments.health()).toMatchObject({
      status: 'degraded',
      open: 1,
      message: 'immediate has refused the last tasks; the log has its error',
    })
    isRefusing = false
    await shop.clock.advance(10_000)
    expect(await shop.payments.health()).toMatchObject({ status: 'up', open: 0, relayed: 0 })
  })

  it('S111 is degraded while this process cannot run the jobs of its handlers', async () => {
    let isReachable = false
    const engine = immediateQueue()
    const shop = openShop([order()], {
      queue: {
        ...engine,
        work: (worker) =>
          isReachable ? engine.work(worker) : Promise.reject(new Error('not started')),
      },
      onPaid: () => undefined,
    })
    await shop.clock.advance(1000)
    expect(await shop.payments.health()).toMatchObject({
      status: 'degraded',
      message: expect.stringContaining('so this process does not run onPaid'),
    })
    isReachable = true
    await shop.clock.advance(10_000)
    expect(await shop.payments.health()).toMatchObject({ status: 'up' })
  })

  it('S111 is degraded when the engine has held a task for longer than 15 minutes', async () => {
    const shop = openShop([order()], {
      queue: { ...immediateQueue(), add: () => Promise.resolve() },
      onPaid: () => undefined,
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(900_000)
    expect(await shop.payments.health()).toMatchObject({ status: 'up', relayed: 1 })
    await shop.clock.advance(2000)
    expect(await shop.payments.health()).toMatchObject({
      status: 'degraded',
      relayed: 1,
      message: expect.stringContaining('more than 900000 ms'),
    })
    expect(await shop.payments.health({ maxQueuedMs: 3_600_000 })).toMatchObject({ status: 'up' })
  })

  it('S111 is degraded, without an address, when the check of the engine fails', async () => {
    const check = () => Promise.reject(new Error('redis://:hunter2@host'))
    const shop = openShop([order()], { queue: { ...immediateQueue(), check } })
    await shop.settle()
    expect(await shop.payments.health()).toMatchObject({
      status: 'degraded',
      message: 'immediate cannot be reached',
    })
  })

  it('S111 reports what the check of the engine has found, and passes it the held tasks', async () => {
    const checked: unknown[] = []
    const shop = openShop([order()], {
      queue: {
        ...immediateQueue(),
        add: () => Promise.resolve(),
        check: (query) => {
          checked.push(query)
          return Promise.resolve('the engine has lost 1 job')
        },
      },
      onPaid: () => undefined,
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(1000)
    const health = await shop.payments.health()
    expect(health).toMatchObject({ status: 'degraded', message: 'the engine has lost 1 job' })
    const [report] = await createOperator({ payments: shop.payments }).list()
    const task = { reportId: report?.reportId, handler: 'onPaid', reference: 'order-1' }
    expect(checked).toEqual([
      { name: 'default', handlers: ['onPaid'], tasks: [expect.objectContaining(task)] },
    ])
  })
})

describe('a task that was handed to the engine', () => {
  it('S111 is handed over again when the inbox could not store that, and runs once', async () => {
    const clock = createFakeClock()
    const inner = memoryInbox({ clock })
    const added: string[] = []
    let failures = 1
    const finish: Inbox['tasks']['finish'] = (...given) =>
      failures-- > 0 ? Promise.reject(new Error('no connection')) : inner.tasks.finish(...given)
    const shop = openShop([order()], {
      clock,
      inbox: { ...inner, tasks: { ...inner.tasks, finish } },
      queue: {
        ...immediateQueue(),
        add: async (tasks) => void added.push(...tasks.map(({ idempotencyKey }) => idempotencyKey)),
      },
    })
    await shop.send(transferCompleted())
    await clock.advance(1000)
    expect(shop.logger.lines).toContainEqual({
      level: 'warn',
      message: 'inbox not reachable; handing tasks over again',
      fields: { error: expect.objectContaining({ code: 'ERR_TONPLUG_REPOSITORY' }) },
    })
    await clock.advance(60_000)
    expect(added).toHaveLength(2)
    expect(new Set(added).size).toBe(1)
    expect(await inner.stats()).toMatchObject({ open: 0, relayed: 1 })
  })
})

describe('the outcome of a job', () => {
  it('S111 is recorded again while the inbox fails', async () => {
    const clock = createFakeClock()
    let failures = 2
    const fail =
      (inner: Inbox): Inbox['tasks']['finishRelayed'] =>
      (query) =>
        failures-- > 0
          ? Promise.reject(new Error('no connection'))
          : inner.tasks.finishRelayed(query)
    const inner = memoryInbox({ clock })
    const shop = openShop([order()], {
      clock,
      inbox: { ...inner, tasks: { ...inner.tasks, finishRelayed: fail(inner) } },
      queue: immediateQueue(),
      onPaid: () => void shop.shipped.push('once'),
    })
    await shop.send(transferCompleted())
    await clock.advance(10_000)
    expect(shop.shipped).toEqual(['once'])
    expect(await inner.stats()).toMatchObject({ open: 0, relayed: 0, dead: 0 })
  })

  it('S111 is logged when it cannot be recorded, and the task stays relayed', async () => {
    const clock = createFakeClock()
    const inner = memoryInbox({ clock })
    const finishRelayed = () => Promise.reject(new Error('no connection'))
    const shop = openShop([order()], {
      clock,
      inbox: { ...inner, tasks: { ...inner.tasks, finishRelayed } },
      queue: immediateQueue(),
      onPaid: () => undefined,
    })
    await shop.send(transferCompleted())
    await clock.advance(10_000)
    expect(await inner.stats()).toMatchObject({ open: 0, relayed: 1 })
    expect(shop.logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'outcome of a job not recorded; the task stays relayed until it is retried',
      }),
    )
  })
})
