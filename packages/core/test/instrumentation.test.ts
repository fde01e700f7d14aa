import type { Around, Instrumentation } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from './shop.js'
import { createLine, readCall } from './transport/calls.js'
import { refuse, startFaultServer, succeed } from './transport/fault-server.js'

/** Every function of an instrumentation that runs work, made of one. */
function around(run: Around<unknown, unknown>): Instrumentation {
  return { delivery: run, handler: run, background: run, call: run, attempt: run }
}

const odd: [string, Around<unknown, unknown>][] = [
  ['does not run the work', () => undefined],
  ['runs it twice', (_, run) => Promise.all([run(), run()])],
  ['runs it later', (_, run) => queueMicrotask(() => void run())],
  ['answers something else', (_, run) => run().then(() => 'another answer')],
  ['waits for ever', (_, run) => run().then(() => new Promise(() => undefined))],
  [
    'throws before it',
    () => {
      throw new Error('broken')
    },
  ],
  [
    'throws after it',
    (_, run) => {
      void run()
      throw new Error('broken')
    },
  ],
  ['rejects', (_, run) => run().then(() => Promise.reject(new Error('broken')))],
]

describe('an instrumentation', () => {
  it.each(odd)('that %s changes nothing, and the work is done once', async (_, run) => {
    const shop = openShop([order()], { instrumentation: around(run) })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.receiver.stats()).toEqual({ paid: 1 })
    const server = await startFaultServer(refuse(503, 'later'), succeed(1))
    const { transport } = createLine({ baseUrl: server.url, instrumentation: around(run) })
    expect(await transport.request(readCall())).toMatchObject({ meta: { attempts: 2 } })
    expect(server.arrivals).toHaveLength(2)
  })

  it('is refused when it is a factory that was not called', () => {
    // What JavaScript may pass.
    const instrumentation = (() => ({})) as never
    const refusal = expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }) as Error
    expect(() => openShop([], { instrumentation })).toThrow(refusal)
    expect(() => createLine({ instrumentation })).toThrow(refusal)
  })

  it('is told of each delivery and each run of a handler, and how it ended', async () => {
    const told: unknown[] = []
    const note: Around<unknown, unknown> = (event, run) =>
      run().then((end) => told.push(event, end))
    const shop = openShop([order()], {
      name: 'shop',
      instrumentation: { delivery: note, handler: note },
      onPaid: () => {
        throw new Error('carrier is closed')
      },
    })
    const answer = await shop.send(transferCompleted())
    await shop.settle()
    const retryAtMs = shop.clock.nowMs() + 1000
    expect(told).toEqual([
      { receiver: 'shop', elapsedMs: 0 },
      answer,
      {
        receiver: 'shop',
        handler: 'onPaid',
        deliveryId: expect.any(String) as string,
        idempotencyKey: `shop:onPaid:order-1:${transferCompleted().data.txHash}`,
        attempt: 1,
      },
      {
        outcome: { kind: 'retry', retryAtMs, error: 'carrier is closed' },
        thrown: new Error('carrier is closed'),
      },
    ])
  })

  it('is told of a receiver when it starts, and of its end once', async () => {
    const told: string[] = []
    const shop = openShop([], {
      autoStart: false,
      instrumentation: {
        receiver({ name }) {
          told.push(`${name} starts`)
          return () => void told.push(`${name} ends`)
        },
      },
    })
    expect(told).toEqual([])
    shop.receiver.start()
    shop.receiver.start()
    expect(told).toEqual(['default starts'])
    for (let time = 0; time < 2; time++) {
      const closed = shop.receiver.close()
      await shop.clock.advance(10_000)
      await closed
    }
    expect(told).toEqual(['default starts', 'default ends'])
  })

  it('is told of calls and attempts, and what the hooks are told', async () => {
    const told: unknown[] = []
    const note: Around<unknown, unknown> = (event, run) => {
      told.push(event)
      return run().then((end) => told.push(end))
    }
    const hooks: string[] = []
    const server = await startFaultServer(refuse(503, 'later'), succeed(1))
    const { transport } = createLine({
      baseUrl: server.url,
      instrumentation: {
        call: note,
        attempt: note,
        retry: () => void hooks.push('instrumentation'),
      },
      hooks: { retry: () => void hooks.push('hooks') },
    })
    const answer = await transport.request(readCall())
    const request = {
      api: 'v2',
      endpoint: 'getMasterchainInfo',
      method: 'GET',
      url: `${server.url}/api/v2/getMasterchainInfo`,
    }
    expect(told).toEqual([
      { endpoint: 'getMasterchainInfo' },
      { ...request, attempts: 1 },
      { status: 503, error: expect.any(Error) as Error },
      { ...request, attempts: 2 },
      { status: 200 },
      answer,
    ])
    expect(hooks).toEqual(['instrumentation', 'hooks'])
  })
})
