import { createFakeClock } from '@tonplug/testing'
import { expect, it } from 'vitest'
import type { FetchResponse } from '../../../src/toncenter/transport/options.js'
import { createTransport } from '../../../src/toncenter/transport/transport.js'
import { createRandom } from '@tonplug/test-support/random'
import { readCall } from './calls.js'

const CALLS = 10_000

function answerWith(status: number, headers: Record<string, string> = {}): FetchResponse {
  const body = new Response(status === 200 ? '{"ok":true}' : '{"ok":false}').body
  return { status, headers: new Headers(headers), body }
}

interface Pause {
  fromMs: number
  untilMs: number
}

/** A server on the test's clock: some answers take time, three in ten are faults. */
function createFaultyFetch(clock: ReturnType<typeof createFakeClock>, random: () => number) {
  const startsMs: number[] = []
  const pauses: Pause[] = []
  const refuse = (): FetchResponse => {
    const seconds = Math.floor(random() * 4)
    if (seconds === 0) return answerWith(429)
    const nowMs = clock.nowMs()
    pauses.push({ fromMs: nowMs, untilMs: nowMs + seconds * 1000 })
    return answerWith(429, { 'retry-after': String(seconds) })
  }
  const fetch = async (): Promise<FetchResponse> => {
    startsMs.push(clock.nowMs())
    const fate = random()
    const delayMs = Math.floor(random() * 400)
    if (random() < 0.3) await new Promise<void>((resolve) => clock.setTimer(resolve, delayMs))
    if (fate < 0.01) return refuse()
    if (fate < 0.1) throw new TypeError('fetch failed')
    if (fate < 0.3) return answerWith(503)
    return answerWith(200)
  }
  return { fetch, startsMs, pauses }
}

it.each([
  [10, 1],
  [10, 2],
  [3, 3],
  [25, 4],
])(
  'never sends more than %i requests in any second, nor any in a pause (10 000 calls, seed %i)',
  async (rps, seed) => {
    const clock = createFakeClock()
    const random = createRandom(seed)
    const { fetch, startsMs, pauses } = createFaultyFetch(clock, random)
    const transport = createTransport({
      clock,
      random,
      fetch,
      rps,
      deadlineMs: Infinity,
      retry: { maxAttempts: 50 },
    })
    let done = 0
    const calls = Array.from({ length: CALLS }, (_, index) =>
      transport.request(readCall({ path: `/${index}` })).then(() => done++),
    )
    while (done < CALLS) await clock.advance(60_000)
    await Promise.all(calls)

    expect(startsMs.length).toBeGreaterThan(CALLS * 1.2)
    const tooSoon = startsMs.filter(
      (ms, index) => ms - (startsMs[index - rps] ?? -Infinity) <= 1000,
    )
    expect(tooSoon).toEqual([])
    const inPause = pauses.filter(({ fromMs, untilMs }) =>
      startsMs.some((ms) => ms > fromMs && ms < untilMs),
    )
    expect(pauses.length).toBeGreaterThan(10)
    expect(inPause).toEqual([])
    // Nothing is given away either: the time is that of full windows and pauses.
    const pausedMs = unionMs(pauses)
    const lastMs = Math.max(...startsMs) - Math.min(...startsMs)
    expect(lastMs).toBeLessThan((startsMs.length / rps) * 1010 * 1.1 + pausedMs + 60_000)
  },
)

/** The time in at least one of the pauses. */
function unionMs(pauses: Pause[]): number {
  let endMs = -Infinity
  let sum = 0
  for (const { fromMs, untilMs } of pauses.toSorted((one, other) => one.fromMs - other.fromMs)) {
    sum += Math.max(0, untilMs - Math.max(fromMs, endMs))
    endMs = Math.max(endMs, untilMs)
  }
  return sum
}
