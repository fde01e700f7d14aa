import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openGate, type Gate } from './gate.js'
import { testPrefix } from './queues.js'
import { hasRedis, NEEDS_REDIS } from '@tonplug/test-support/redis'
import { redisConnection } from './redis.js'

const SECRET = 'whsec_bullmq_test'
const CHILD = fileURLToPath(new URL('shop.child.mjs', import.meta.url))

interface Message {
  status?: number
  running?: number
  shipped?: number
}

interface Shop {
  process: ChildProcess
  messages: Message[]
}

const FAILURES: [string, (gate: Gate) => void][] = [
  ['refuses connections', (gate) => gate.close()],
  ['does not respond', (gate) => gate.hold()],
]

describe.skipIf(!hasRedis)(`server processes with BullMQ on ${NEEDS_REDIS}`, () => {
  it('S39 S88 run a task once, and again elsewhere after its process was killed', async () => {
    const prefix = testPrefix()
    const shops = [startShop(prefix), startShop(prefix)]
    await expect.poll(() => shops.flatMap(statusesOf)).toEqual([200, 200])
    const isRunning = ({ messages }: Shop): boolean => messages.some(({ running }) => running === 1)
    await expect.poll(() => shops.some(isRunning)).toBe(true)
    const killed = shops.find(isRunning)
    const other = shops.find((shop) => shop !== killed)
    killed?.process.kill('SIGKILL')
    await expect.poll(() => other?.messages).toContainEqual({ shipped: 2 })
    const runs = shops.flatMap(({ messages }) => messages.filter(({ running }) => running))
    expect(runs).toHaveLength(2)
  })

  it('S52 finish running handlers on SIGTERM', async () => {
    const shop = startShop(testPrefix(), { limitMs: 500 })
    await expect.poll(() => shop.messages).toContainEqual({ running: 1 })
    expect(await terminate(shop)).toEqual([0, null])
    expect(shop.messages).toContainEqual({ shipped: 1 })
  })

  it.each(FAILURES)(
    'S52 finish running handlers and end on SIGTERM when Redis %s',
    async (_title, fail) => {
      const gate = await openGate(redisConnection.url)
      onTestFinished(() => gate.close())
      const shop = startShop(testPrefix(), { url: gate.url, limitMs: 500 })
      await expect.poll(() => shop.messages).toContainEqual({ running: 1 })
      fail(gate)
      expect(await terminate(shop)).toEqual([0, null])
      expect(shop.messages).toContainEqual({ shipped: 1 })
    },
  )

  it.each(FAILURES)(
    'S52 S88 acknowledge webhooks and end on SIGTERM when Redis %s from the start',
    async (_title, fail) => {
      const gate = await openGate(redisConnection.url)
      onTestFinished(() => gate.close())
      fail(gate)
      const shop = startShop(testPrefix(), { url: gate.url })
      await expect.poll(() => statusesOf(shop)).toEqual([200])
      expect(await terminate(shop)).toEqual([0, null])
    },
  )
})

function startShop(
  prefix: string,
  { url = redisConnection.url, limitMs }: { url?: string; limitMs?: number } = {},
): Shop {
  const limit = limitMs === undefined ? [] : [String(limitMs)]
  const child = fork(CHILD, [url, prefix, SECRET, ...limit])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const messages: Message[] = []
  child.on('message', (message: Message) => messages.push(message))
  return { process: child, messages }
}

function statusesOf({ messages }: Shop): number[] {
  return messages.flatMap(({ status }) => status ?? [])
}

/** Sends SIGTERM. @returns the exit code and the signal. */
async function terminate({ process }: Shop): Promise<unknown[]> {
  const exited = once(process, 'exit')
  process.kill('SIGTERM')
  return exited
}
