import { setImmediate } from 'node:timers/promises'
import { createFakeClock } from '@tonplug/testing'
import { expect, it } from 'vitest'
import { createRateLimiter } from '../../../src/toncenter/transport/rate-limiter.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { readCall } from './calls.js'

/** Creates a clock that also moves while code runs, as that of a busy process. */
function createBusyClock() {
  let nowMs = 0
  const timers = new Set<{ atMs: number; callback: () => void }>()
  return {
    nowMs: () => nowMs,
    setTimer(callback: () => void, delayMs: number) {
      const timer = { atMs: nowMs + delayMs, callback }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    /** Moves within the running code. */
    spend: (ms: number) => void (nowMs += ms),
    /** Runs the timers up to that time. */
    async runUntil(endMs: number) {
      for (;;) {
        await setImmediate()
        const [first] = [...timers].toSorted((one, other) => one.atMs - other.atMs)
        if (first === undefined || first.atMs > endMs) return
        timers.delete(first)
        nowMs = Math.max(nowMs, first.atMs)
        first.callback()
      }
    },
    pendingTimers: () => [...timers],
  }
}

/**
 * Creates a transport whose first attempts take time between their admission and `fetch`, and the times of `fetch`. Every
 * third response is a 503, which is retried.
 */
function createSlowTransport(rps: number) {
  const clock = createBusyClock()
  let hooks = 0
  const beginsMs: number[] = []
  const limiter = createRateLimiter({ rps, clock })
  const transport = createTransport({
    clock,
    random: () => 0,
    limiter,
    retry: { maxAttempts: 50 },
    deadlineMs: 600_000,
    fetch: async () => {
      beginsMs.push(clock.nowMs())
      return new Response('{}', { status: beginsMs.length % 3 === 0 ? 503 : 200 })
    },
    hooks: { request: () => clock.spend(hooks++ < 2 * rps ? 40 : 0) },
  })
  return { clock, transport, beginsMs }
}

it.each([1, 2, 10])(
  'begins at most %i requests in any second, retries included, counted at fetch',
  async (rps) => {
    const { clock, transport, beginsMs } = createSlowTransport(rps)
    const calls = Array.from({ length: 4 * rps }, (_, index) =>
      transport.request(readCall({ path: `/${index}` })),
    )
    await clock.runUntil(60_000)
    await Promise.all(calls)
    expect(beginsMs.length).toBeGreaterThanOrEqual(5 * rps)
    const tooSoon = beginsMs.filter((ms, index) => ms - (beginsMs[index - rps] ?? -Infinity) < 1000)
    expect(tooSoon).toEqual([])
    expect(clock.pendingTimers()).toEqual([])
  },
)

it('returns the slots of calls that end between their admission and fetch', async () => {
  const clock = createFakeClock()
  const controller = new AbortController()
  const begun: string[] = []
  const transport = createTransport({
    clock,
    rps: 2,
    fetch: async (url) => {
      begun.push(url.slice(-1))
      return new Response('{}')
    },
    hooks: { request: ({ url }) => url.endsWith('/1') && controller.abort(new Error('left')) },
  })
  const { signal } = controller
  const call = (name: string, options = {}) =>
    transport.request(readCall({ path: `/${name}` }), options).catch(() => undefined)
  const calls = [call('1', { signal }), call('2', { signal }), call('3'), call('4'), call('5')]
  await clock.advance(3100)
  await Promise.all(calls)
  expect(begun).toEqual(expect.arrayContaining(['3', '4', '5']))
})
