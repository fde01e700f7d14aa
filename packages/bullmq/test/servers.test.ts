import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import {
  createWebhookReceiver,
  memoryInbox,
  memoryOrderRepository,
  type HandlerContext,
  type Order,
} from '@tonplug/core'
import {
  createManualClock,
  recordingLogger,
  signPayload,
  transferCompleted,
} from '@tonplug/testing'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { bullmqJobQueue } from '../src/bullmq-job-queue.js'
import { emptyRedis, hasRedis, NEEDS_REDIS, newPrefix, redisConnection } from './redis.js'

const SECRET = 'whsec_bullmq_test'
const TIMEOUT_MS = 60_000
const CHILD = fileURLToPath(new URL('shop.child.mjs', import.meta.url))

interface Run {
  server: number
  attempt: number
}

describe.skipIf(!hasRedis)(`servers with BullMQ on ${NEEDS_REDIS}`, () => {
  let children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  it(
    'S39 S52 share the handlers, and go on with what a closing one leaves',
    async () => {
      const prefix = newPrefix()
      onTestFinished(() => emptyRedis(prefix))
      const { receivers, runs, pay } = openServers(2, { ...redisConnection, prefix })
      expect(await pay(0, 'order-1')).toBe(200)
      await expect.poll(() => runs).toEqual([{ server: 0, attempt: 1 }])
      await receivers[0]?.close()
      await expect
        .poll(() => runs, { timeout: TIMEOUT_MS })
        .toEqual([
          { server: 0, attempt: 1 },
          { server: 1, attempt: 2 },
        ])
    },
    TIMEOUT_MS,
  )

  it(
    'S52 end what runs on SIGTERM',
    async () => {
      const prefix = newPrefix()
      onTestFinished(() => emptyRedis(prefix))
      const child = fork(CHILD, [redisConnection.url, prefix, SECRET])
      children.push(child)
      const messages: unknown[] = []
      child.on('message', (message) => messages.push(message))
      await expect.poll(() => messages, { timeout: TIMEOUT_MS }).toContain('running')
      expect(messages).not.toContain('shipped')
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      children = []
      await expect.poll(() => messages).toEqual(expect.arrayContaining([200, 'shipped']))
    },
    TIMEOUT_MS,
  )

  it.each([
    ['has gone', 'listening'],
    ['hangs', 'listening'],
    ['hangs from the beginning', 'running'],
    ['was never there', 'running'],
  ])(
    'S52 end on SIGTERM where Redis %s',
    async (fault, event) => {
      const prefix = newPrefix()
      onTestFinished(() => emptyRedis(prefix))
      const redis = await openGate(redisConnection.url)
      onTestFinished(() => redis.close())
      if (fault === 'was never there') redis.close()
      if (fault === 'hangs from the beginning') redis.hold()
      const child = fork(CHILD, [redis.url, prefix, SECRET])
      children.push(child)
      const messages: unknown[] = []
      child.on('message', (message) => messages.push(message))
      const seen = expect.arrayContaining([event, 'shipped'])
      await expect.poll(() => messages, { timeout: TIMEOUT_MS }).toEqual(seen)
      if (fault === 'has gone') redis.close()
      if (fault === 'hangs') redis.hold()
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      children = []
    },
    TIMEOUT_MS,
  )
})

describe('servers whose Redis is down', () => {
  it('say why, and that it has been silent for ten seconds', async () => {
    const clock = createManualClock()
    const logger = recordingLogger()
    const url = `redis://127.0.0.1:${await closedPort()}`
    const jobs = bullmqJobQueue({ connection: { url } })
    const receiver = createWebhookReceiver({
      secrets: SECRET,
      orders: memoryOrderRepository(),
      jobs,
      clock,
      logger,
    })
    onTestFinished(async () => {
      const closed = receiver.close()
      await clock.advance(60_000)
      await closed
      await jobs.close()
    })
    const complaints = () => logger.lines.filter(({ message }) => message.includes('job queue'))
    // By its connections, each of which fails again and again.
    const refused = { message: expect.stringContaining('is in trouble'), level: 'warn' }
    await expect.poll(complaints).toMatchObject([refused])
    expect(JSON.stringify(complaints()[0]?.fields)).toContain('ECONNREFUSED')
    await clock.advance(9999)
    expect(complaints()).toHaveLength(1)
    await clock.advance(1)
    expect(complaints()).toMatchObject([
      refused,
      { level: 'warn', message: expect.stringContaining('does not answer') },
    ])
  })

  it(
    'answer, run handlers, try them again and close',
    async () => {
      const url = `redis://127.0.0.1:${await closedPort()}`
      const { receivers, runs, pay } = openServers(1, { url, prefix: 'down' })
      expect(await pay(0, 'order-1')).toBe(200)
      await expect
        .poll(() => runs, { timeout: TIMEOUT_MS })
        .toEqual([
          { server: 0, attempt: 1 },
          { server: 0, attempt: 2 },
        ])
      await receivers[0]?.close()
    },
    TIMEOUT_MS,
  )
})

/** Servers with one inbox, each with connections of its own. A handler fails when it first runs. */
function openServers(count: number, { url, prefix }: { url: string; prefix: string }) {
  const order: Order = {
    reference: 'order-1',
    rawAmount: 10_500_000_000n,
    asset: 'TON',
    status: 'pending',
  }
  const orders = memoryOrderRepository([order])
  // As a database: it stays when a server goes.
  const inbox = { ...memoryInbox(), isDurable: true }
  const runs: Run[] = []
  const servers = Array.from({ length: count }, (_, server) => {
    const jobs = bullmqJobQueue({ connection: { url }, prefix })
    const onPaid = (_event: unknown, { attempt }: HandlerContext): void => {
      runs.push({ server, attempt })
      if (attempt === 1) throw new Error('busy')
    }
    const logger = recordingLogger()
    const receiver = createWebhookReceiver({ secrets: SECRET, orders, inbox, jobs, logger, onPaid })
    return { jobs, receiver }
  })
  const receivers = servers.map(({ receiver }) => receiver)
  onTestFinished(async () => {
    await Promise.all(receivers.map((receiver) => receiver.close()))
    await Promise.all(servers.map(({ jobs }) => jobs.close()))
  })
  return {
    receivers,
    runs,
    pay: async (server: number, reference: string): Promise<number> => {
      const { body, headers } = signPayload(transferCompleted({ reference }), SECRET)
      const answer = await receivers[server]?.receive({ headers, rawBody: body })
      return answer?.status ?? 0
    },
  }
}

/** A way to Redis that can be closed, or held so that nothing comes through. */
async function openGate(target: string) {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isHeld = false
  const server = createServer((socket) => {
    const behind = connect(Number(port), hostname)
    sockets.add(socket)
    socket.on('data', (bytes) => isHeld || behind.write(bytes))
    behind.on('data', (bytes) => isHeld || socket.write(bytes))
    for (const one of [socket, behind]) one.on('error', () => undefined)
    behind.on('close', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(socket)
      behind.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // A server that listens on TCP has one.
    url: `redis://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: () => {
      isHeld = true
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** A port on which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
