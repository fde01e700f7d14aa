import { handlerTaskKey, type PaymentsInstrumentation } from '@tonplug/core'
import type { TransportInstrumentation } from '@tonplug/core/toncenter'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'
import { createLine, readCall } from '../../toncenter/transport/calls.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { refuse, succeed } from '@tonplug/test-support/responses'

type Around = (event: unknown, run: () => Promise<unknown>) => unknown

/** Returns an instrumentation that uses one function for all kinds of work. */
function around(run: Around): PaymentsInstrumentation & TransportInstrumentation {
  return { delivery: run, handler: run, background: run, call: run, attempt: run }
}

const odd: [string, Around][] = [
  ['does not run the work', () => undefined],
  ['runs it twice', (_, run) => Promise.all([run(), run()])],
  ['runs it later', (_, run) => queueMicrotask(() => void run())],
  ['returns something else', (_, run) => run().then(() => 'another answer')],
  ['waits indefinitely', (_, run) => run().then(() => new Promise(() => undefined))],
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
  it.each(odd)('changes nothing when it %s, and the work runs once', async (_, run) => {
    const shop = openShop([order()], { instrumentation: around(run) })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.receiver.stats()).toEqual({ paid: 1 })
    const server = await startScriptedApi(refuse(503, 'later'), succeed(1))
    const { transport } = createLine({ baseUrl: server.baseUrl, instrumentation: around(run) })
    expect(await transport.request(readCall())).toMatchObject({ meta: { attempts: 2 } })
    expect(server.requests).toHaveLength(2)
  })

  it('is rejected when it is a factory that was not called', () => {
    // What JavaScript may pass.
    const instrumentation = (() => ({})) as never
    const refusal = expect.objectContaining({ code: 'ERR_TONPLUG_CONFIGURATION' }) as Error
    expect(() => openShop([], { instrumentation })).toThrow(refusal)
    expect(() => createLine({ instrumentation })).toThrow(refusal)
  })

  it('is called for each delivery and each run of a handler, with its result', async () => {
    const told: unknown[] = []
    const note: Around = (event, run) => run().then((end) => told.push(event, end))
    const shop = openShop([order()], {
      name: 'shop',
      instrumentation: { delivery: note, handler: note },
      onPaid: () => {
        throw new Error('carrier is closed')
      },
    })
    const answer = await shop.send(transferCompleted())
    await shop.settle()
    const { txHash } = transferCompleted().data
    const key = { name: 'shop', merchant: '', reference: 'order-1', txHash }
    expect(told).toEqual([
      { payments: 'shop', elapsedMs: 0 },
      answer,
      {
        payments: 'shop',
        handler: 'onPaid',
        reportId: expect.any(String) as string,
        idempotencyKey: handlerTaskKey('onPaid', key),
        attempt: 1,
      },
      {
        outcome: { kind: 'retry', retryInMs: 1000, error: 'carrier is closed' },
        thrown: new Error('carrier is closed'),
      },
    ])
  })

  it('is called when Payments starts, and once when it is closed', async () => {
    const told: string[] = []
    const shop = openShop([], {
      autoStart: false,
      instrumentation: {
        payments({ name }) {
          told.push(`${name} starts`)
          return () => void told.push(`${name} ends`)
        },
      },
    })
    expect(told).toEqual([])
    shop.payments.start()
    shop.payments.start()
    expect(told).toEqual(['default starts'])
    for (let time = 0; time < 2; time++) {
      await shop.close()
    }
    expect(told).toEqual(['default starts', 'default ends'])
  })

  it('is called for calls, attempts and hooks', async () => {
    const told: unknown[] = []
    const note: Around = (event, run) => {
      told.push(event)
      return run().then((end) => told.push(end))
    }
    const hooks: string[] = []
    const server = await startScriptedApi(refuse(503, 'later'), succeed(1))
    const { transport } = createLine({
      baseUrl: server.baseUrl,
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
      url: `${server.baseUrl}/api/v2/getMasterchainInfo`,
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
