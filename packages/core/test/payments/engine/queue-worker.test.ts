import { getEventListeners } from 'node:events'
import { memoryInbox, type Inbox, type TaskQueue, type TaskWorker } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createFakeClock, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

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
