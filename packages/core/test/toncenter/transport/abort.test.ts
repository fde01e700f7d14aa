import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { RateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import type { FetchResponse } from '../../../src/toncenter/transport/options.js'
import { deferred } from '@tonplug/test-support/deferred'
import { ADDRESS } from '../v2/mock-history.js'
import { serve } from '../v2/pagination.js'
import { readCall } from './calls.js'
import { begin, reason, set } from './ended-call.js'
import { refuse, stallBody, hang, succeed } from '@tonplug/test-support/responses'

// The clock stands still in all of these, so that nothing but the abort can end a call.
describe("a caller's signal", () => {
  it('ends a call at once before anything is sent', async () => {
    const { line, server, errors } = await set([succeed(1)])
    const signal = AbortSignal.abort(reason)
    await expect(line.transport.request(readCall(), { signal })).rejects.toBe(reason)
    expect([server.requests, errors, line.clock.pendingTimers()]).toEqual([[], [], []])
  })

  it('ends a call at once in the queue of the rate limit', async () => {
    const { line, server, errors } = await set([succeed(1)], { rps: 1 })
    await line.transport.request(readCall())
    const { abort } = begin(line)
    await line.clock.waitForTimer(({ delayMs }) => delayMs === 1010)
    expect(await abort()).toBe(reason)
    expect([server.requests.length, errors]).toEqual([1, []])
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('ends a call at once between two attempts', async () => {
    const { line, server, errors } = await set([refuse(503, 'later')])
    const { abort } = begin(line)
    await line.clock.waitForTimer(({ delayMs }) => delayMs === 250)
    expect(await abort()).toBe(reason)
    await line.clock.advance(60_000)
    expect([server.requests.length, errors]).toEqual([1, []])
  })

  it('ends a call at once while it waits for the headers, and closes the connection', async () => {
    const { line, server, errors } = await set([hang])
    const { abort } = begin(line)
    await server.waitForRequests(1)
    expect(await abort()).toBe(reason)
    await server.requests[0]?.closed
    expect(errors).toEqual([])
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('ends a call at once while it reads the body, and closes the connection', async () => {
    const { line, server } = await set([stallBody])
    const { abort } = begin(line)
    await line.waitForHeaders(1)
    expect(await abort()).toBe(reason)
    await server.requests[0]?.closed
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('ends a call at once in a fetch that ignores signals, and discards its late response', async () => {
    let answer: (response: FetchResponse) => void = () => undefined
    const late = new Promise<FetchResponse>((resolve) => (answer = resolve))
    const { line } = await set([], { fetch: () => late })
    const { abort } = begin(line)
    await line.clock.waitForTimer(({ delayMs }) => delayMs === 10_000)
    expect(await abort()).toBe(reason)
    const cancelled = new Promise<unknown>((resolve) => {
      const reader = {
        read: () => new Promise<never>(() => undefined),
        cancel: async () => resolve(1),
      }
      answer({ status: 200, headers: new Headers(), body: { getReader: () => reader } })
    })
    await cancelled
  })

  it('ends a call at once in a limiter that ignores signals', async () => {
    const limiter: RateLimiter = {
      acquire: () => new Promise(() => undefined),
      pause: () => undefined,
    }
    const { line } = await set([], { limiter })
    expect(await begin(line).abort()).toBe(reason)
  })

  it('ends a call at once in a limiter that admits it too late, which gets the slot back', async () => {
    const slot = deferred<void>()
    let begun = 0
    const limiter: RateLimiter = {
      acquire: () => slot.promise,
      begin: () => void begun++,
      pause: () => undefined,
    }
    const { line, server } = await set([succeed(1)], { limiter })
    expect(await begin(line).abort()).toBe(reason)
    slot.resolve()
    await slot.promise
    expect([begun, server.requests]).toEqual([1, []])
  })
})

describe('a signal', () => {
  it('has one listener for any number of iterations, and none after they have ended', async () => {
    const { v2 } = await serve({ size: 3 })
    const { signal } = new AbortController()
    const listeners: number[] = []
    const walk = async (): Promise<void> => {
      const request = { address: ADDRESS, archival: false }
      for await (const _ of v2.getTransactions.paginate(request, { signal, pageSize: 2 })) {
        listeners.push(getEventListeners(signal, 'abort').length)
      }
    }
    await Promise.all(Array.from({ length: 20 }, walk))
    expect([listeners.length, new Set(listeners)]).toEqual([60, new Set([1])])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends every iteration that it was passed to', async () => {
    const { v2 } = await serve({ size: 3 })
    const controller = new AbortController()
    const walk = async (): Promise<void> => {
      const options = { signal: controller.signal, pageSize: 2 }
      for await (const _ of v2.getTransactions.paginate({ address: ADDRESS }, options)) {
        controller.abort(reason)
      }
    }
    const settled = await Promise.allSettled([walk(), walk()])
    expect(settled).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('has one listener for any number of calls, and ends them all', async () => {
    const { line, server } = await set([hang])
    const controller = new AbortController()
    const calls = Array.from({ length: 64 }, (_, index) =>
      line.transport.request(readCall({ path: `/${index}` }), { signal: controller.signal }),
    )
    await server.waitForRequests(10)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort(reason)
    const settled = await Promise.allSettled(calls)
    expect(settled).toEqual(calls.map(() => ({ status: 'rejected', reason })))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
