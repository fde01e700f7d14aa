import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { memoryInbox, memoryOrderRepository, type Inbox } from '@tonplug/core'
import { createMockGateway, transferCompleted } from '@tonplug/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { order, SECRET } from '../shop.js'

// Two processes have to start, on machines that may be busy.

const CHILD = fileURLToPath(new URL('two-processes.child.mjs', import.meta.url))

// The calls of a child have no types.
type Stores = Record<string, object>
interface Call {
  id: number
  store: string
  method: string
  parameters: unknown[]
}

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Starts a server process with these stores. @param role `web` has no handlers. @returns its webhook route. */
async function startServer(stores: Stores, role: 'shop' | 'web' = 'shop'): Promise<string> {
  const child = fork(CHILD, [SECRET, role], { serialization: 'advanced' })
  children.push(child)
  return new Promise((resolve) => {
    child.on('message', (message: Call | { port: number }) => {
      if ('port' in message) resolve(`http://127.0.0.1:${message.port}/`)
      else void serve(child, stores, message)
    })
  })
}

const field = (object: unknown, name: string): unknown =>
  typeof object === 'object' && object !== null ? Reflect.get(object, name) : undefined

async function serve(child: ChildProcess, stores: Stores, call: Call): Promise<void> {
  const { id, store, method, parameters } = call
  try {
    const group = store.split('.').reduce<unknown>((object, name) => field(object, name), stores)
    const target = field(group, method)
    const result: unknown = typeof target === 'function' ? await target(...parameters) : undefined
    answer(child, { id, result })
  } catch (error) {
    answer(child, { id, error: String(error) })
  }
}

/** Sends a message. A process that has been killed in the meantime gets none. */
function answer(child: ChildProcess, message: object): void {
  if (child.connected) child.send(message, () => undefined)
}

describe('two server processes on one store', () => {
  it('S39 make one transition and run one handler for fifty identical deliveries', async () => {
    const orders = memoryOrderRepository([order()])
    const transitions: string[] = []
    const runs: string[] = []
    const stores = {
      inbox: { ...memoryInbox() },
      orders: {
        ...orders,
        complete: async (...call: Parameters<typeof orders.complete>) => {
          const transition = await orders.complete(...call)
          transitions.push(transition)
          return transition
        },
      },
      handlers: { onPaid: (reference: string) => runs.push(reference) },
    }
    const urls = await Promise.all([startServer(stores), startServer(stores)])
    const reports = await Promise.all(
      urls.map((url) =>
        createMockGateway({ url, secret: SECRET }).deliver(transferCompleted(), { times: 25 }),
      ),
    )
    const attempts = reports.flatMap((report) => report.attempts)
    expect(attempts.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(transitions.filter((transition) => transition === 'applied')).toHaveLength(1)
    await expect.poll(() => runs).toEqual(['order-1'])
    for (const child of children) child.kill('SIGTERM')
    await Promise.all(children.map((child) => once(child, 'exit')))
    expect(runs).toEqual(['order-1'])
  })

  it('S68 run the handler of one process for a decision of the other, which has none', async () => {
    const runs: string[] = []
    const inbox = memoryInbox()
    let isRegistered = false
    const register: Inbox['processes']['register'] = async (registration) => {
      const pinned = await inbox.processes.register(registration)
      isRegistered = true
      return pinned
    }
    const stores = {
      inbox: { ...inbox, processes: { ...inbox.processes, register } },
      orders: { ...memoryOrderRepository([order()]) },
      handlers: { onPaid: (reference: string) => runs.push(reference) },
    }
    await startServer(stores, 'shop')
    await expect.poll(() => isRegistered).toBe(true)
    const url = await startServer(stores, 'web')
    const report = await createMockGateway({ url, secret: SECRET }).deliver(transferCompleted())
    expect(report.attempts.map(({ status }) => status)).toEqual([200])
    await expect.poll(() => runs).toEqual(['order-1'])
  })
})
