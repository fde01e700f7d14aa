import {
  createPayments,
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type Handler,
  type HandlerContext,
  type Inbox,
  type PaidTransfer,
  type Payments,
  type PaymentsOptions,
} from '@tonplug/core'
import {
  createFakeClock,
  createTestLogger,
  signPayload,
  transferCompleted,
  type FakeClock,
} from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { order, SECRET } from '../shop.js'

const DRAIN_MS = 1000
/** The time after which each server has polled the inbox once. */
const FIRST_POLL_MS = 100
/** Concurrent runs of a handler on one server. */
const CONCURRENCY = 8

interface Run extends Pick<HandlerContext, 'idempotencyKey' | 'attempt'> {
  server: number
}

/** Servers with one inbox and the same orders, on one fake clock. */
interface Servers {
  clock: FakeClock
  payments: Payments[]
  /** The runs of `onPaid`. */
  runs: Run[]
  /** Pays an order of its own at a server. @returns the status of the response. */
  pay: (server: number, reference: string) => Promise<number>
}

interface ServerOptions {
  references?: string[]
  count?: number
  wrapInbox?: (inbox: Inbox) => Inbox
  onPaid?: (run: Run, context: HandlerContext) => unknown
  /** Further options of the Payments of each server. */
  options?: (server: number) => Partial<PaymentsOptions>
}

function openServers({
  references = ['order-1'],
  count = 2,
  wrapInbox = (inbox) => inbox,
  onPaid = () => undefined,
  options = () => ({}),
}: ServerOptions): Servers {
  const clock = createFakeClock()
  const orders = memoryOrderRepository(references.map((reference) => order({ reference })))
  // Like a database, it outlives each server.
  const inbox = wrapInbox({ ...memoryInbox({ clock }), isDurable: true })
  const runs: Run[] = []
  const servers = Array.from({ length: count }, (_, server) => {
    const handler: Handler<PaidTransfer> = (event, context) => {
      const run = { server, idempotencyKey: context.idempotencyKey, attempt: context.attempt }
      runs.push(run)
      return onPaid(run, context)
    }
    const logger = createTestLogger()
    const own = { orders, inbox, clock, logger, drainTimeoutMs: DRAIN_MS, onPaid: handler }
    const payments = createPayments({ ...own, ...options(server) })
    return { payments, receiver: createWebhookReceiver({ payments, secrets: SECRET }) }
  })
  onTestFinished(async () => {
    const closed = Promise.all(servers.map(({ payments }) => payments.close()))
    await clock.advance(10 * DRAIN_MS)
    await closed
  })
  return {
    clock,
    payments: servers.map(({ payments }) => payments),
    runs,
    async pay(server, reference) {
      const payload = transferCompleted({ reference, txHash: `tx of ${reference}` })
      const { body, headers } = signPayload(payload, SECRET)
      const answer = await servers[server]?.receiver.receive({ headers, rawBody: body })
      return answer?.status ?? 0
    },
  }
}

function manyReferences(length: number): string[] {
  return Array.from({ length }, (_, index) => `order-${index}`)
}

describe('servers that share an inbox', () => {
  it('S39 run each handler on one of them', async () => {
    const references = manyReferences(30)
    const { clock, runs, pay } = openServers({ references, count: 3 })
    await Promise.all(
      references.flatMap((reference, index) => [pay(index % 3, reference), pay(0, reference)]),
    )
    await clock.advance(60_000)
    expect(new Set(runs.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(30)
    expect(runs).toHaveLength(30)
  })

  it('S39 run one handler of a payment at a time, retries included', async () => {
    const references = manyReferences(5)
    const running = new Set<string>()
    let isDoubled = false
    const { clock, runs, pay } = openServers({
      references,
      count: 3,
      onPaid: async ({ idempotencyKey, attempt }) => {
        isDoubled ||= running.has(idempotencyKey)
        running.add(idempotencyKey)
        await new Promise<void>((resolve) => void clock.setTimer(resolve, 3000))
        running.delete(idempotencyKey)
        if (attempt < 4) throw new Error('busy')
      },
    })
    await Promise.all(references.map((reference, index) => pay(index % 3, reference)))
    await clock.advance(120_000)
    expect(isDoubled).toBe(false)
    expect(runs).toHaveLength(5 * 4)
  })

  it('run the tasks that exceed the concurrency of one server', async () => {
    const references = manyReferences(CONCURRENCY + 4)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const { clock, runs, pay } = openServers({
      references,
      onPaid: ({ server }) => (server === 0 ? held : undefined),
    })
    await clock.advance(FIRST_POLL_MS)
    await Promise.all(references.map((reference) => pay(0, reference)))
    await clock.advance(5000)
    release()
    expect(runs.filter(({ server }) => server === 0)).toHaveLength(CONCURRENCY)
    expect(runs.filter(({ server }) => server === 1)).toHaveLength(4)
  })

  it('S52 run the released task of a closing server within the poll interval', async () => {
    const { clock, runs, payments, pay } = openServers({
      onPaid: ({ server }) => (server === 0 ? new Promise(() => undefined) : undefined),
    })
    await pay(0, 'order-1')
    await clock.advance(0)
    const closed = payments[0]?.close()
    await clock.advance(2 * DRAIN_MS)
    await closed
    await clock.advance(5000)
    expect(runs).toMatchObject([
      { server: 0, attempt: 1 },
      { server: 1, attempt: 2 },
    ])
  })

  it('S47 retry a handler of a closed server within the poll interval', async () => {
    const { clock, runs, payments, pay } = openServers({
      onPaid: ({ attempt }) => {
        if (attempt === 1) throw new Error('busy')
      },
    })
    await clock.advance(FIRST_POLL_MS)
    await pay(0, 'order-1')
    await clock.advance(0)
    await payments[0]?.close()
    await clock.advance(5000)
    expect(runs).toMatchObject([
      { server: 0, attempt: 1 },
      { server: 1, attempt: 2 },
    ])
  })

  it('call an idle inbox once in five seconds each', async () => {
    const { clock, calls } = openCountedServers()
    await clock.advance(FIRST_POLL_MS)
    calls.length = 0
    await clock.advance(60_000)
    expect(calls.filter((method) => method === 'register')).toHaveLength(2 * 6)
    expect(calls.filter((method) => method === 'nextDueInMs')).toHaveLength(2 * 6)
    expect(calls).toHaveLength(2 * 12)
  })

  it.each([
    [60_000, 1],
    [300_000, 1],
  ])('call an idle inbox once in idlePollMs of %i each', async (idlePollMs, expected) => {
    const { clock, calls } = openCountedServers({ idlePollMs })
    await clock.advance(FIRST_POLL_MS)
    calls.length = 0
    await clock.advance(idlePollMs)
    expect(calls).toEqual(Array.from({ length: 2 * expected }, () => 'register'))
  })

  it('start the work of another process within idlePollMs, and their own at once', async () => {
    const { clock, pay, runs } = openServers({
      references: ['order-1', 'order-2'],
      options: (server) => ({
        idlePollMs: 60_000,
        // The first server has no handlers.
        ...(server === 0 && { onPaid: undefined }),
      }),
    })
    await clock.advance(FIRST_POLL_MS)
    expect(await pay(1, 'order-1')).toBe(200)
    await clock.advance(0)
    expect(runs).toHaveLength(1)
    expect(await pay(0, 'order-2')).toBe(200)
    await clock.advance(60_000)
    expect(runs).toHaveLength(2)
  })

  it('keep their policy pinned between the registrations of idlePollMs', async () => {
    const { clock, payments } = openServers({ count: 1, options: () => ({ idlePollMs: 300_000 }) })
    await clock.advance(300_000 - 1)
    const { inbox } = (payments[0] as Payments).internals
    const other = { name: 'default', policy: 'lax', handlers: [], subscriptionTtlMs: 1 }
    const { policy } = await inbox.processes.register({ ...other, policyTtlMs: 900_000 })
    expect(policy).not.toBe('lax')
  })
})

/** Opens servers, and lists the methods of the inbox that they call. */
function openCountedServers(options: Partial<PaymentsOptions> = {}) {
  const calls: string[] = []
  const servers = openServers({
    options: () => options,
    wrapInbox: (inbox) => recordCalls(inbox, calls),
  })
  return { ...servers, calls }
}

/** Wraps an inbox and its groups of methods. */
function recordCalls<Group extends object>(group: Group, calls: string[]): Group {
  return new Proxy(group, {
    get(target, name: string) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value === 'object' && value !== null) return recordCalls(value, calls)
      if (typeof value !== 'function') return value
      return (...given: unknown[]): unknown => {
        calls.push(name)
        return Reflect.apply(value, target, given)
      }
    },
  })
}
