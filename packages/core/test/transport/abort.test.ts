import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { RateLimiter } from '../../src/transport/limiter.js'
import type { FetchResponse } from '../../src/transport/options.js'
import { ADDRESS } from '../v2/history-server.js'
import { serve } from '../v2/walks.js'
import { readCall } from './calls.js'
import { begin, reason, set } from './ended-call.js'
import { refuse, stallBody, stallHeaders, succeed } from './fault-server.js'

// The clock stands still in all of these, so that nothing but the abort can end a call. A busy machine may hold the
// process up for longer than that once, hence the retries; a call that takes its time does so each time.
describe("a caller's signal ends a call within 50 ms", { retry: 4 }, () => {
  it('before anything is sent', async () => {
    const { line, server, errors } = await set([succeed(1)])
    const signal = AbortSignal.abort(reason)
    await expect(line.transport.request(readCall(), { signal })).rejects.toBe(reason)
    expect([server.arrivals, errors, line.clock.pendingTimers()]).toEqual([[], [], []])
  })

  it('in the queue of the rate limit', async () => {
    const { line, server, errors } = await set([succeed(1)], { rps: 1 })
    await line.transport.request(readCall())
    const { abort } = begin(line)
    await line.clock.waitForTimer(({ delayMs }) => delayMs === 1010)
    expect(await abort()).toBeLessThan(50)
    expect([server.arrivals.length, errors]).toEqual([1, []])
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('between two attempts', async () => {
    const { line, server, errors } = await set([refuse(503, 'later')])
    const { abort } = begin(line)
    await line.clock.waitForTimer(({ delayMs }) => delayMs === 250)
    expect(await abort()).toBeLessThan(50)
    await line.clock.advance(60_000)
    expect([server.arrivals.length, errors]).toEqual([1, []])
  })

  it('while it waits for the headers, and closes the connection', async () => {
    const { line, server, errors } = await set([stallHeaders])
    const { abort } = begin(line)
    await server.waitForArrivals(1)
    expect(await abort()).toBeLessThan(50)
    await server.arrivals[0]?.closed
    expect(errors).toEqual([])
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('while it reads the body, and closes the connection', async () => {
    const { line, server } = await set([stallBody])
    const { abort } = begin(line)
    await line.waitForHeaders(1)
    expect(await abort()).toBeLessThan(50)
    await server.arrivals[0]?.closed
    expect(line.clock.pendingTimers()).toEqual([])
  })

  it('in a fetch that ignores signals, whose late answer is thrown away', async () => {
    let answer: (response: FetchResponse) => void = () => undefined
    const late = new Promise<FetchResponse>((resolve) => (answer = resolve))
    const { line } = await set([], { fetch: () => late })
    const { abort } = begin(line)
    await line.clock.waitForTimer(({ delayMs }) => delayMs === 10_000)
    expect(await abort()).toBeLessThan(50)
    const cancelled = new Promise<unknown>((resolve) => {
      const reader = {
        read: () => new Promise<never>(() => undefined),
        cancel: async () => resolve(1),
      }
      answer({ status: 200, headers: new Headers(), body: { getReader: () => reader } })
    })
    await cancelled
  })

  it('in a limiter that ignores signals', async () => {
    const limiter: RateLimiter = {
      acquire: () => new Promise(() => undefined),
      pause: () => undefined,
    }
    const { line } = await set([], { limiter })
    expect(await begin(line).abort()).toBeLessThan(50)
  })
})

describe('a signal', () => {
  it('has one listener, however many walks it is given to, and none when they are over', async () => {
    const { v2 } = await serve({ size: 3 })
    const { signal } = new AbortController()
    const listeners: number[] = []
    const walk = async (): Promise<void> => {
      const request = { address: ADDRESS, archival: false }
      for await (const _ of v2.getTransactions.iterate(request, { signal, pageSize: 2 })) {
        listeners.push(getEventListeners(signal, 'abort').length)
      }
    }
    await Promise.all(Array.from({ length: 20 }, walk))
    expect([listeners.length, new Set(listeners)]).toEqual([60, new Set([1])])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends each walk that it is given to', async () => {
    const { v2 } = await serve({ size: 3 })
    const controller = new AbortController()
    const walk = async (): Promise<void> => {
      const options = { signal: controller.signal, pageSize: 2 }
      for await (const _ of v2.getTransactions.iterate({ address: ADDRESS }, options)) {
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

  it('has one listener, however many calls it is given to, and ends them all', async () => {
    const { line, server } = await set([stallHeaders])
    const controller = new AbortController()
    const calls = Array.from({ length: 64 }, (_, index) =>
      line.transport.request(readCall({ path: `/${index}` }), { signal: controller.signal }),
    )
    await server.waitForArrivals(10)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1)
    controller.abort(reason)
    const settled = await Promise.allSettled(calls)
    expect(settled).toEqual(calls.map(() => ({ status: 'rejected', reason })))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
