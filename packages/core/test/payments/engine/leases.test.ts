import { memoryInbox, memoryOrderRepository, type Inbox, type OrderKey } from '@tonplug/core'
import { createFakeClock, transferCompleted, type FakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order, type ShopOptions } from '../shop.js'

const LEASE_MS = 12_000

/** Returns a promise and the function that resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

function durable(inbox: Inbox): Inbox {
  return { ...inbox, isDurable: true }
}

/** A handler that never ends by itself, and records when its signal is aborted. */
function hangingHandler(events: string[], endsOnAbort = false): ShopOptions['onPaid'] {
  return (_, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        events.push(`aborted: ${(signal.reason as Error).message}`)
        if (endsOnAbort) resolve(undefined)
      })
    })
}

function wait(clock: FakeClock, delayMs: number): Promise<void> {
  return new Promise((resolve) => void clock.setTimer(resolve, delayMs))
}

function messagesOf({ logger }: { logger: { lines: readonly { message: string }[] } }): string[] {
  return logger.lines.map(({ message }) => message)
}

describe('a lease that is lost', () => {
  it.each([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['hangs', () => new Promise<never>(() => undefined)],
  ])(
    'S76 aborts the handler before another server may claim its task, when the renewal %s',
    async (_, extendLease) => {
      const events: string[] = []
      const shop = openShop([order()], {
        inbox: (memory) => durable({ ...memory, tasks: { ...memory.tasks, extendLease } }),
        onPaid: hangingHandler(events),
      })
      await shop.send(transferCompleted())
      await shop.settle()
      const claim = () =>
        shop.inbox.tasks.claim({ name: 'default', limits: { onPaid: 1 }, leaseMs: LEASE_MS })
      await shop.clock.advance(LEASE_MS - 1001)
      expect(events).toEqual([])
      await shop.clock.advance(1)
      expect(events).toEqual(['aborted: the lease of the task was lost'])
      expect(await claim()).toEqual([])
      expect(messagesOf(shop)).toContain('task lease lost; the handler runs again elsewhere')
      await shop.clock.advance(998)
      expect(await claim()).toEqual([])
    },
  )

  it('S76 aborts the handler at once when the inbox reports it', async () => {
    const events: string[] = []
    const shop = openShop([order()], {
      inbox: (memory) =>
        durable({
          ...memory,
          tasks: { ...memory.tasks, extendLease: () => Promise.resolve(false) },
        }),
      onPaid: hangingHandler(events),
    })
    await shop.send(transferCompleted())
    await shop.clock.advance(4000)
    expect(events).toEqual(['aborted: the lease of the task was lost'])
  })

  it('S75 never begins the handler when its order is read after the lease was lost', async () => {
    const { opened, open } = gate()
    const clock = createFakeClock()
    const stopped = createFakeClock()
    const inbox = durable(memoryInbox({ clock }))
    const orders = memoryOrderRepository([order()])
    const slow = { ...orders, find: (key: OrderKey) => opened.then(() => orders.find(key)) }
    const other = openShop([], { clock, inbox, orders, onPaid: undefined })
    await inbox.processes.register({
      name: 'default',
      policy: '',
      policyTtlMs: 0,
      handlers: [{ handler: 'onPaid', event: 'onPaid' }],
      subscriptionTtlMs: 86_400_000,
    })
    await other.send(transferCompleted())
    const paused = openShop([], { clock: stopped, inbox, orders: slow })
    await paused.settle()
    // Another process runs the handler in the meantime.
    await clock.advance(20_000)
    const limits = { onPaid: 1 }
    const again = await inbox.tasks.claim({ name: 'default', limits, leaseMs: LEASE_MS })
    expect(again).toMatchObject([{ attempt: 2 }])
    await stopped.advance(20_000)
    open()
    await paused.settle()
    expect(paused.shipped).toEqual([])
  })

  it('S75 counts the lease from before its task was claimed', async () => {
    const events: string[] = []
    const clock = createFakeClock()
    const shop = openShop([order()], {
      clock,
      inbox: (memory) =>
        durable({
          ...memory,
          tasks: {
            ...memory.tasks,
            extendLease: () => Promise.reject(new Error('down')),
            // The response takes three seconds.
            claim: async (query) => {
              const claimed = await memory.tasks.claim(query)
              if (claimed.length > 0) await wait(clock, 3000)
              return claimed
            },
          },
        }),
      onPaid: hangingHandler(events),
    })
    await shop.send(transferCompleted())
    await clock.advance(LEASE_MS - 1001)
    expect(events).toEqual([])
    await clock.advance(1)
    expect(events).toEqual(['aborted: the lease of the task was lost'])
  })

  it('S75 never begins a task whose lease has expired before its claim returned', async () => {
    const attempts: number[] = []
    const clock = createFakeClock()
    const shop = openShop([order()], {
      clock,
      inbox: (memory) =>
        durable({
          ...memory,
          tasks: {
            ...memory.tasks,
            claim: async (query) => {
              const claimed = await memory.tasks.claim(query)
              if (claimed.some(({ attempt }) => attempt === 1)) await wait(clock, LEASE_MS)
              return claimed
            },
          },
        }),
      onPaid: (_, { attempt }) => void attempts.push(attempt),
    })
    await shop.send(transferCompleted())
    await clock.advance(LEASE_MS)
    expect(attempts).toEqual([2])
  })

  it('S75 records nothing of its run', async () => {
    const { opened, open } = gate()
    const clock = createFakeClock()
    const stopped = createFakeClock()
    const inbox = durable(memoryInbox({ clock }))
    const orders = memoryOrderRepository([order()])
    const paused = openShop([], { clock: stopped, inbox, orders, onPaid: () => opened })
    await paused.send(transferCompleted())
    await paused.settle()
    const runs: number[] = []
    const other = openShop([], {
      clock,
      inbox,
      orders,
      onPaid: (_, { attempt }) => {
        runs.push(attempt)
        return new Promise(() => undefined)
      },
    })
    await clock.advance(20_000)
    expect(runs).toEqual([2])
    // The paused process continues, and its handler ends.
    open()
    await paused.settle()
    expect(messagesOf(paused)).toContain('handler outlived its lease and may run again')
    expect(await inbox.stats()).toMatchObject({ open: 1 })
    await clock.advance(60_000)
    expect(runs).toEqual([2])
    await other.close()
  })

  it('S75 aborts the handler of a process that was paused for 90 seconds', async () => {
    const events: string[] = []
    const clock = createFakeClock()
    const stopped = createFakeClock()
    const inbox = durable(memoryInbox({ clock }))
    const orders = memoryOrderRepository([order()])
    const shared = { inbox, orders }
    const paused = openShop([], { ...shared, clock: stopped, onPaid: hangingHandler(events) })
    await paused.send(transferCompleted())
    await paused.settle()
    const other = openShop([], { ...shared, clock })
    await clock.advance(90_000)
    expect(other.shipped).toEqual(['order-1'])
    await stopped.advance(90_000)
    expect(events).toEqual(['aborted: the lease of the task was lost'])
    expect(await inbox.stats()).toMatchObject({ open: 0, dead: 0 })
  })

  it.each([90_000, -90_000])(
    'S75 never happens because the clock of a server is wrong by %i ms',
    async (skewMs) => {
      const clock = createFakeClock()
      const skewed: FakeClock = { ...clock, nowMs: () => clock.nowMs() + skewMs }
      const inbox = durable(memoryInbox({ clock }))
      const references = ['order-1', 'order-2', 'order-3', 'order-4']
      const orders = memoryOrderRepository(references.map((reference) => order({ reference })))
      const running = new Set<string>()
      const runs: string[] = []
      const onPaid: ShopOptions['onPaid'] = async (_, { idempotencyKey, attempt, signal }) => {
        expect(running).not.toContain(idempotencyKey)
        running.add(idempotencyKey)
        runs.push(idempotencyKey)
        await new Promise<void>((resolve) => void clock.setTimer(resolve, 60_000))
        expect(signal.aborted).toBe(false)
        running.delete(idempotencyKey)
        if (attempt === 1) throw new Error('busy')
      }
      const servers = [clock, skewed].map((own) =>
        openShop([], { inbox, orders, clock: own, handlerConcurrency: 1, onPaid }),
      )
      for (const [index, reference] of references.entries()) {
        await servers[index % 2]?.send(transferCompleted({ reference, txHash: reference }))
      }
      await clock.advance(600_000)
      expect(runs).toHaveLength(2 * references.length)
      expect(await inbox.stats()).toMatchObject({ open: 0, dead: 0 })
    },
  )
})

describe('closing Payments while a handler runs', () => {
  /** Opens a shop that records when tasks are released. */
  function openClosing(onPaid: (events: string[]) => ShopOptions['onPaid']) {
    const events: string[] = []
    const shop = openShop([order()], {
      inbox: (memory) =>
        durable({
          ...memory,
          tasks: {
            ...memory.tasks,
            finish: (task, outcome) => {
              events.push(`finished: ${outcome.kind}`)
              return memory.tasks.finish(task, outcome)
            },
          },
        }),
      drainTimeoutMs: 5000,
      onPaid: onPaid(events),
    })
    return { shop, events }
  }

  it('S76 aborts its signal, then releases its task when the handler has ended', async () => {
    const { shop, events } = openClosing((log) => async (_, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      log.push(`aborted: ${(signal.reason as Error).message}`)
      await new Promise<void>((resolve) => void shop.clock.setTimer(resolve, 500))
      log.push('cleaned up')
      throw signal.reason
    })
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.payments.close()
    await shop.clock.advance(4999)
    expect(events).toEqual([])
    await shop.clock.advance(1)
    expect(events).toEqual(['aborted: Payments was closed'])
    await shop.clock.advance(500)
    await closed
    expect(events).toEqual(['aborted: Payments was closed', 'cleaned up', 'finished: retry'])
    const claim = { name: 'default', limits: { onPaid: 1 }, leaseMs: LEASE_MS }
    expect(await shop.inbox.tasks.claim(claim)).toHaveLength(1)
  })

  it('S76 aborts its signal, then releases its task one second later when it hangs', async () => {
    const { shop, events } = openClosing((log) => hangingHandler(log))
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.payments.close()
    await shop.clock.advance(5000)
    expect(events).toEqual(['aborted: Payments was closed'])
    await shop.clock.advance(1000)
    await closed
    expect(events).toEqual(['aborted: Payments was closed', 'finished: retry'])
  })

  it('S76 records the success of a handler that ends on abort', async () => {
    const { shop, events } = openClosing((log) => hangingHandler(log, true))
    await shop.send(transferCompleted())
    await shop.settle()
    await shop.close()
    expect(events).toEqual(['aborted: Payments was closed', 'finished: done'])
    expect(await shop.inbox.stats()).toMatchObject({ open: 0, dead: 0 })
  })

  it('S76 is not aborted when it ends within drainTimeoutMs', async () => {
    const { opened, open } = gate()
    let isAborted = true
    const { shop, events } = openClosing(() => async (_, { signal }) => {
      await opened
      isAborted = signal.aborted
    })
    await shop.send(transferCompleted())
    await shop.settle()
    const closed = shop.payments.close()
    await shop.clock.advance(4000)
    open()
    await shop.settle()
    await closed
    expect(isAborted).toBe(false)
    expect(events).toEqual(['finished: done'])
  })
})
