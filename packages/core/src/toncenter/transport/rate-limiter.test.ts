import { createFakeClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { createRateLimiter, type RateLimiter } from './rate-limiter.js'
import type { Priority } from './call-options.js'

const neverAborted = new AbortController().signal

/** Creates a limiter and records the admitted requests with their times, from 0. */
function createQueue(rps: number) {
  const clock = createFakeClock({ startMs: 0 })
  const limiter = createRateLimiter({ rps, clock })
  const admitted: [name: string, atMs: number][] = []
  const wait = (name: string, slot: Partial<Parameters<RateLimiter['acquire']>[0]> = {}) =>
    limiter
      .acquire({ priority: 'normal', isRetry: false, signal: neverAborted, ...slot })
      .then(() => admitted.push([name, clock.nowMs()]))
  return { clock, limiter, admitted, wait }
}

describe('createRateLimiter', () => {
  it('admits the requests of one second at once, and the next ones when those are a second old', async () => {
    const { clock, admitted, wait } = createQueue(2)
    const waits = ['a', 'b', 'c', 'd', 'e'].map((name) => wait(name))
    await clock.advance(3000)
    await Promise.all(waits)
    expect(admitted).toEqual([
      ['a', 0],
      ['b', 0],
      ['c', 1010],
      ['d', 1010],
      ['e', 2020],
    ])
  })

  it('counts from each start, not from fixed seconds', async () => {
    const { clock, admitted, wait } = createQueue(2)
    await wait('a')
    await clock.advance(900)
    const waits = [wait('b'), wait('c'), wait('d')]
    await clock.advance(1500)
    await Promise.all(waits)
    expect(admitted.map(([, atMs]) => atMs)).toEqual([0, 900, 1010, 1910])
  })

  it.each([
    [0.5, [0, 2020, 4040]],
    [1.9, [0, 1010, 2020]],
    [Infinity, [0, 0, 0]],
  ])('admits %s requests per second', async (rps, times) => {
    const { clock, admitted, wait } = createQueue(rps)
    const waits = ['a', 'b', 'c'].map((name) => wait(name))
    await clock.advance(10_000)
    await Promise.all(waits)
    expect(admitted.map(([, atMs]) => atMs)).toEqual(times)
  })

  it.each([0, -1, Number.NaN])('rejects %s requests per second', (rps) => {
    expect(() => createRateLimiter({ rps })).toThrow(ConfigurationError)
  })

  it('admits by priority, retries first, then in the order of arrival', async () => {
    const { clock, admitted, wait } = createQueue(1)
    await wait('first')
    const slots: [string, Priority, boolean][] = [
      ['low', 'low', false],
      ['low retry', 'low', true],
      ['normal', 'normal', false],
      ['later normal', 'normal', false],
      ['normal retry', 'normal', true],
      ['high', 'high', false],
    ]
    const waits = slots.map(([name, priority, isRetry]) => wait(name, { priority, isRetry }))
    await clock.advance(10_000)
    await Promise.all(waits)
    expect(admitted.map(([name]) => name)).toEqual([
      'first',
      'high',
      'normal retry',
      'normal',
      'later normal',
      'low retry',
      'low',
    ])
  })

  it('admits no request during a pause, which a shorter pause does not end', async () => {
    const { clock, limiter, admitted, wait } = createQueue(10)
    await limiter.pause(5000)
    await limiter.pause(1000)
    const waits = [wait('a'), wait('b')]
    await clock.advance(4999)
    expect(admitted).toEqual([])
    await clock.advance(1)
    await Promise.all(waits)
    expect(admitted).toEqual([
      ['a', 5000],
      ['b', 5000],
    ])
  })

  it.each([
    [Number.NaN, 0],
    [-5000, 0],
    [Infinity, 600_000],
    [86_400_000, 600_000],
  ])('caps a pause of %s ms at %s ms, and applies later ones', async (durationMs, held) => {
    const { clock, limiter, admitted, wait } = createQueue(10)
    await limiter.pause(durationMs)
    const first = wait('a')
    await clock.advance(held)
    await first
    await limiter.pause(1000)
    const second = wait('b')
    await clock.advance(1000)
    await second
    expect(admitted).toEqual([
      ['a', held],
      ['b', held + 1000],
    ])
  })

  it('delays requests that were waiting when the pause began', async () => {
    const { clock, limiter, admitted, wait } = createQueue(1)
    await wait('a')
    const waiting = wait('b')
    await clock.advance(500)
    await limiter.pause(3000)
    await clock.advance(3500)
    await waiting
    expect(admitted).toEqual([
      ['a', 0],
      ['b', 3500],
    ])
  })

  it('gives the slot of an aborted wait to the next one, and leaves no timer', async () => {
    const { clock, admitted, wait } = createQueue(1)
    await wait('a')
    const controller = new AbortController()
    const reason = new Error('gone')
    const aborted = wait('b', { signal: controller.signal })
    const next = wait('c')
    controller.abort(reason)
    await expect(aborted).rejects.toBe(reason)
    await clock.advance(1010)
    await next
    expect(admitted).toEqual([
      ['a', 0],
      ['c', 1010],
    ])
    const alone = wait('d', { signal: AbortSignal.abort(reason) })
    await expect(alone).rejects.toBe(reason)
    expect(clock.pendingTimers()).toEqual([])
  })

  it('counts a request from when it is sent, and keeps its slot until then', async () => {
    const { clock, limiter, admitted, wait } = createQueue(2)
    const reported = { isBeginReported: true }
    await Promise.all([wait('a', reported), wait('b', reported)])
    const waits = [wait('c', reported), wait('d'), wait('e')]
    await clock.advance(5000)
    limiter.begin?.()
    await clock.advance(300)
    limiter.begin?.()
    await clock.advance(709)
    expect(admitted.map(([name]) => name)).toEqual(['a', 'b'])
    await clock.advance(1)
    limiter.begin?.()
    await clock.advance(3000)
    await Promise.all(waits)
    expect(admitted.slice(2)).toEqual([
      ['c', 6010],
      ['d', 6310],
      ['e', 7020],
    ])
    expect(clock.pendingTimers()).toEqual([])
  })

  it('ignores a report of a request that has no slot', async () => {
    const { clock, limiter, admitted, wait } = createQueue(1)
    limiter.begin?.()
    await wait('a')
    limiter.begin?.()
    const next = wait('b')
    await clock.advance(1010)
    await next
    expect(admitted).toEqual([
      ['a', 0],
      ['b', 1010],
    ])
  })
})
