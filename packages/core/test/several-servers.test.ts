import {
  createWebhookReceiver,
  memoryInbox,
  memoryJobQueue,
  memoryOrderRepository,
  type Handler,
  type HandlerContext,
  type Inbox,
  type JobQueue,
  type PaidTransfer,
  type WebhookReceiver,
} from '@tonplug/core'
import {
  createManualClock,
  recordingLogger,
  signPayload,
  transferCompleted,
  type ManualClock,
  type RecordingLogger,
} from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { order, SECRET } from './shop.js'

const DRAIN_MS = 1000
/** Afterwards each server has looked at the inbox once, and found nothing. */
const FIRST_LOOK_MS = 100
/** As many handlers as a server runs at once. */
const PLACES = 16

interface Run extends Pick<HandlerContext, 'idempotencyKey' | 'attempt'> {
  server: number
}

/** Servers with one inbox and the same orders, on one clock that stands still. */
interface Servers {
  clock: ManualClock
  logger: RecordingLogger
  receivers: WebhookReceiver[]
  /** What `onPaid` was called for. */
  runs: Run[]
  /** Pays an order of its own at a server. @returns the status of the answer. */
  pay: (server: number, reference: string) => Promise<number>
}

interface ServerOptions {
  references?: string[]
  count?: number
  inbox?: Inbox
  makeJobs?: (shared: JobQueue) => JobQueue
  onPaid?: (run: Run, context: HandlerContext) => unknown
}

function openServers({
  references = ['order-1'],
  count = 2,
  inbox = sharedInbox(),
  makeJobs = (shared) => shared,
  onPaid = () => undefined,
}: ServerOptions): Servers {
  const clock = createManualClock()
  const logger = recordingLogger()
  const orders = memoryOrderRepository(references.map((reference) => order({ reference })))
  const jobs = makeJobs(memoryJobQueue({ clock }))
  const runs: Run[] = []
  const receivers = Array.from({ length: count }, (_, server) => {
    const handler: Handler<PaidTransfer> = (event, context) => {
      const run = { server, idempotencyKey: context.idempotencyKey, attempt: context.attempt }
      runs.push(run)
      return onPaid(run, context)
    }
    return createWebhookReceiver({
      secrets: SECRET,
      orders,
      inbox,
      jobs,
      clock,
      logger,
      drainTimeoutMs: DRAIN_MS,
      onPaid: handler,
    })
  })
  onTestFinished(async () => {
    const closed = Promise.all(receivers.map((receiver) => receiver.close()))
    await clock.advance(10 * DRAIN_MS)
    await closed
  })
  return {
    clock,
    logger,
    receivers,
    runs,
    async pay(server, reference) {
      const payload = transferCompleted({ reference, txHash: `tx of ${reference}` })
      const { body, headers } = signPayload(payload, SECRET)
      const answer = await receivers[server]?.receive({ headers, rawBody: body })
      return answer?.status ?? 0
    },
  }
}

/** As a database: it stays when a server goes. */
function sharedInbox(): Inbox {
  return { ...memoryInbox(), isDurable: true }
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

  it('S39 run one handler of a payment at a time, also while it is tried again', async () => {
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
    // Whoever is woken does it, not only the one that was paid.
    expect(new Set(runs.map(({ server }) => server)).size).toBeGreaterThan(1)
  })

  it('help one that has no place left, within two seconds', async () => {
    const references = manyReferences(PLACES + 4)
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const { clock, runs, pay } = openServers({
      references,
      onPaid: ({ server }) => (server === 0 ? held : undefined),
    })
    await clock.advance(FIRST_LOOK_MS)
    await Promise.all(references.map((reference) => pay(0, reference)))
    await clock.advance(2000)
    release()
    expect(runs.filter(({ server }) => server === 0)).toHaveLength(PLACES)
    expect(runs.filter(({ server }) => server === 1)).toHaveLength(4)
  })

  it('S52 go on at once with what a closing one gives back', async () => {
    const { clock, runs, receivers, pay } = openServers({
      onPaid: ({ server }) => (server === 0 ? new Promise(() => undefined) : undefined),
    })
    await pay(0, 'order-1')
    await clock.advance(0)
    const closed = receivers[0]?.close()
    await clock.advance(DRAIN_MS)
    await closed
    await clock.advance(0)
    expect(runs).toMatchObject([
      { server: 0, attempt: 1 },
      { server: 1, attempt: 2 },
    ])
  })

  it('S47 find in the sweep what no wake-up told of', async () => {
    const lost: number[] = []
    const { clock, runs, receivers, pay } = openServers({
      makeJobs: (shared) => ({
        ...shared,
        wake: ({ delayMs }) => Promise.resolve(void lost.push(delayMs)),
      }),
      onPaid: ({ attempt }) => {
        if (attempt === 1) throw new Error('busy')
      },
    })
    await clock.advance(FIRST_LOOK_MS)
    await pay(0, 'order-1')
    await clock.advance(0)
    await receivers[0]?.close()
    expect(lost.length).toBeGreaterThan(0)
    await clock.advance(6000)
    expect(runs).toMatchObject([
      { server: 0, attempt: 1 },
      { server: 1, attempt: 2 },
    ])
  })

  it('look at an idle inbox together as often as one does', async () => {
    let looks = 0
    const inbox = sharedInbox()
    const counting: Inbox = {
      ...inbox,
      claimDeliveries: (query) => {
        looks++
        return inbox.claimDeliveries(query)
      },
    }
    const { clock } = openServers({ count: 10, inbox: counting })
    await clock.advance(1000)
    looks = 0
    await clock.advance(60_000)
    // Twelve sweeps, and at most one look of its own for each server.
    expect(looks).toBeGreaterThanOrEqual(11)
    expect(looks).toBeLessThanOrEqual(12 + 10)
  })
})

describe('a queue that is down', () => {
  const down = { name: 'down', wake: refuse, listen: refuse }
  const hanging: JobQueue = { name: 'hanging', wake: hang, listen: hang }

  it.each([
    ['refuses', down],
    ['hangs', hanging],
  ])('changes no answer and delays no first run when it %s', async (_, jobs) => {
    const references = manyReferences(3)
    const { clock, runs, pay } = openServers({ references, makeJobs: () => jobs })
    const statuses = await Promise.all(references.map((reference) => pay(0, reference)))
    expect(statuses).toEqual([200, 200, 200])
    await clock.advance(0)
    expect(runs).toHaveLength(3)
  })

  it.each([
    ['refuses', down],
    ['hangs', hanging],
  ])('leaves handlers that fail to be tried again when it %s', async (_, jobs) => {
    const { clock, runs, pay } = openServers({
      makeJobs: () => jobs,
      onPaid: ({ attempt }) => {
        if (attempt < 3) throw new Error('busy')
      },
    })
    await pay(0, 'order-1')
    await clock.advance(20_000)
    expect(runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
  })

  it('leaves the work of a server that died to the others within a minute', async () => {
    const { clock, runs, receivers, pay } = openServers({
      makeJobs: () => down,
      onPaid: ({ attempt }) => {
        if (attempt === 1) throw new Error('busy')
      },
    })
    await clock.advance(FIRST_LOOK_MS)
    await pay(0, 'order-1')
    await clock.advance(0)
    await receivers[0]?.close()
    await clock.advance(60_000)
    expect(runs).toMatchObject([{ server: 0 }, { server: 1, attempt: 2 }])
  })

  it('does not keep a server from closing', async () => {
    const { clock, receivers } = openServers({ count: 1, makeJobs: () => hanging })
    await clock.advance(0)
    let isClosed = false
    void receivers[0]?.close().then(() => (isClosed = true))
    await clock.advance(2000)
    expect(isClosed).toBe(true)
  })

  it('is said to be down, and listened to again when it is back', async () => {
    let isDown = true
    const { clock, logger, runs, pay } = openServers({
      count: 1,
      makeJobs: (shared) => ({
        ...shared,
        listen: (listener) => (isDown ? refuse() : shared.listen(listener)),
      }),
      onPaid: ({ attempt }) => {
        if (attempt < 7) throw new Error('busy')
      },
    })
    await clock.advance(0)
    expect(logger.lines).toContainEqual(
      expect.objectContaining({
        level: 'warn',
        fields: expect.objectContaining({ queue: 'memory' }),
      }),
    )
    isDown = false
    await clock.advance(60_000)
    await pay(0, 'order-1')
    // Woken by the queue, to the second: 1 + 2 + 4 + 8 + 16 + 32 s.
    await clock.advance(63_000)
    expect(runs).toHaveLength(7)
  })
})

function refuse(): Promise<never> {
  return Promise.reject(new Error('connection refused'))
}

function hang(): Promise<never> {
  return new Promise(() => undefined)
}
