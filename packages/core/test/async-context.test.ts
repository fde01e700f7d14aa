import { AsyncLocalStorage } from 'node:async_hooks'
import {
  memoryOrderRepository,
  type Inbox,
  type PaymentsInstrumentation,
  type WebhookRequest,
} from '@tonplug/core'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { scriptedProof } from './proof/scripted-proof.js'
import { openShop, order, SECRET, type ShopOptions } from './shop.js'

/** A value of the current request, for example its tenant. */
const current = new AsyncLocalStorage<string>()

/** Returns options whose functions record their async context. */
function observe(): { seen: string[]; options: ShopOptions } {
  const seen: string[] = []
  const note = (name: string): void => void seen.push(`${name} in ${current.getStore()}`)
  const orders = memoryOrderRepository([
    order({ recipient: transferCompleted().data.recipientAddr }),
  ])
  const proof = scriptedProof()
  const options: ShopOptions = {
    secrets: () => {
      note('secrets')
      return { merchant: '', secrets: SECRET }
    },
    orders: {
      ...orders,
      find: (key) => {
        note('find')
        return orders.find(key)
      },
      complete: (key, payment) => {
        note('complete')
        return orders.complete(key, payment)
      },
    },
    acceptAmount: () => {
      note('acceptAmount')
      return true
    },
    wallets: [],
    rules: [
      () => {
        note('rule')
        return undefined
      },
    ],
    onPaid: () => note('onPaid'),
    verifyOnChain: {
      ...proof,
      prove: (...claim) => {
        note('prove')
        return proof.prove(...claim)
      },
    },
  }
  return { seen, options }
}

describe('the async context', () => {
  it('of handlers is that of start, whichever requests and handlers have woken the pollers', async () => {
    const references = Array.from({ length: 40 }, (_, index) => `order-${index}`)
    const ran: unknown[] = []
    const shop = current.run('the start', () =>
      openShop(
        references.map((reference) => order({ reference })),
        {
          handlerRetry: { minDelayMs: 1000 },
          onPaid: async ({ order: { reference } }, { attempt }) => {
            ran.push([reference, attempt, current.getStore()])
            current.enterWith(`the handler of ${reference}`)
            await Promise.resolve()
            if (attempt === 1 && reference === 'order-7') throw new Error('carrier is closed')
          },
        },
      ),
    )
    const sendIn = (reference: string): Promise<unknown> =>
      current.run(reference, () => shop.send(transferCompleted({ reference, txHash: reference })))
    await Promise.all(references.slice(1).map(sendIn))
    await current.run('the timers', () => shop.clock.advance(2000))
    await sendIn('order-0')
    await current.run('the end', () => shop.close())
    const expected = references.map((reference) => [reference, 1, 'the start'])
    expect(ran).toHaveLength(41)
    expect(ran).toEqual(expect.arrayContaining([...expected, ['order-7', 2, 'the start']]))
  })

  it('of a decision is that of its request, and of later work that of start', async () => {
    const { seen, options } = observe()
    const shop = current.run('the start', () => openShop([], options))
    await current.run('the request', () => shop.send(transferCompleted()))
    await current.run('the timers', () => shop.clock.advance(0))
    const first = ['secrets', 'find', 'acceptAmount', 'rule']
    const later = ['find', 'acceptAmount', 'rule', 'prove', 'complete', 'find', 'onPaid']
    expect(seen).toEqual([
      ...first.map((name) => `${name} in the request`),
      ...later.map((name) => `${name} in the start`),
    ])
  })

  it('of a decision in the background is that of start', async () => {
    const { seen, options } = observe()
    const { verifyOnChain: _, ...unproven } = options
    const shop = current.run('the start', () => openShop([], unproven))
    await current.run('the request', () => shop.send(transferCompleted({ reference: 'order-2' })))
    seen.splice(0)
    await current.run('the timers', () => shop.clock.advance(6000))
    expect(new Set(seen)).toEqual(new Set(['find in the start']))
  })

  it('of a decision for a Fetch request is that of the request', async () => {
    const { seen, options } = observe()
    const shop = openShop([], options)
    const { body, headers } = signPayload(transferCompleted(), SECRET)
    const request = new Request('http://localhost/', { method: 'POST', headers, body })
    const { status } = await current.run('the request', () => shop.receiver.handle(request))
    expect(status).toBe(200)
    expect(seen.slice(0, 4)).toEqual(
      ['secrets', 'find', 'acceptAmount', 'rule'].map((name) => `${name} in the request`),
    )
  })

  it('of a decision for a held request is that of its resumption', async () => {
    const { seen, options } = observe()
    const told: unknown[] = []
    const shop = openShop([], {
      ...options,
      instrumentation: {
        delivery: ({ elapsedMs }, run) =>
          current.run(`a span in ${current.getStore()}`, async () =>
            told.push(elapsedMs, (await run()).status),
          ),
      },
    })
    const { request, isRead, letGoOn } = hold()
    const answer = current.run('the arrival', () => shop.receiver.receive(request))
    await isRead
    await shop.clock.advance(3000)
    expect([seen, told]).toEqual([[], []])
    current.run('the route', letGoOn)
    expect((await answer).status).toBe(200)
    expect(seen.slice(0, 4)).toEqual(
      ['secrets', 'find', 'acceptAmount', 'rule'].map((name) => `${name} in a span in the route`),
    )
    expect(told).toEqual([3000, 200])
  })
})

/** Returns a signed request that is held after its body was read. */
function hold() {
  const { body, headers } = signPayload(transferCompleted(), SECRET)
  let read = (): void => undefined
  const isRead = new Promise<void>((resolve) => (read = resolve))
  let letGoOn = (): void => undefined
  let end = (): void => undefined
  const request: WebhookRequest = {
    headers,
    rawBody: () => Promise.resolve(new TextEncoder().encode(body)),
    hold: (decide) =>
      new Promise((resolve) => {
        letGoOn = () => resolve(decide())
        end = () => resolve(undefined)
        read()
      }),
  }
  return { request, isRead, letGoOn: () => letGoOn(), end: () => end() }
}

describe('a request that is held between its body and its decision', () => {
  const told: number[] = []
  const instrumentation: PaymentsInstrumentation = {
    delivery: async (_, run) => told.push((await run()).status),
  }

  it('is rejected as incomplete when it ends there, and reported and counted once', async () => {
    told.length = 0
    const shop = openShop([order()], { instrumentation })
    const { request, isRead, end } = hold()
    const answer = shop.receiver.receive(request)
    await isRead
    end()
    expect((await answer).status).toBe(408)
    expect(shop.receiver.stats()).toEqual({ body_incomplete: 1 })
    expect(told).toEqual([408])
  })

  it('is rejected at the deadline, and decided when it resumes later', async () => {
    told.length = 0
    const shop = openShop([order()], { instrumentation })
    const { request, isRead, letGoOn } = hold()
    const answer = shop.receiver.receive(request)
    await isRead
    await shop.clock.advance(8000)
    expect((await answer).status).toBe(408)
    letGoOn()
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.receiver.stats()).toEqual({ body_incomplete: 1 })
    expect(told).toEqual([408])
  })

  it('is answered with 503 when its decision exceeds the deadline since its arrival', async () => {
    told.length = 0
    const inbox = (memory: Inbox): Inbox => ({
      ...memory,
      store: () => new Promise(() => undefined),
    })
    const shop = openShop([order()], { instrumentation, inbox })
    const { request, isRead, letGoOn } = hold()
    const answer = shop.receiver.receive(request)
    await isRead
    await shop.clock.advance(7000)
    letGoOn()
    await shop.clock.advance(1000)
    expect((await answer).status).toBe(503)
    expect(told).toEqual([503])
  })

  it('is completed before close resolves', async () => {
    const shop = openShop([order()], {})
    const { request, isRead, letGoOn } = hold()
    const answer = shop.receiver.receive(request)
    await isRead
    const closed = shop.receiver.close()
    await shop.clock.advance(1000)
    letGoOn()
    expect((await answer).status).toBe(200)
    await closed
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('reports a rule that throws, and rejects with its error', async () => {
    let failure: unknown
    const shop = openShop([order()], {
      rules: [
        () => {
          throw new Error('a broken rule')
        },
      ],
      instrumentation: { delivery: (_, run) => run().catch((error: unknown) => (failure = error)) },
    })
    const { request, isRead, letGoOn } = hold()
    const ended = Promise.allSettled([shop.receiver.receive(request)])
    await isRead
    letGoOn()
    expect(await ended).toMatchObject([{ status: 'rejected', reason: failure }])
    expect(failure).toMatchObject({ code: 'ERR_TONPLUG_RULE' })
  })
})
