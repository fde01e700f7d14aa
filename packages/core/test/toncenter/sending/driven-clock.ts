import { setImmediate } from 'node:timers/promises'
import { createFakeClock, type FakeClock } from '@tonplug/testing'
import type { Fetch } from '../../../src/toncenter/transport/options.js'

/** A clock that moves by itself from timer to timer, but never while an answer is under way. */
export interface DrivenClock {
  clock: FakeClock
  /** Requests by it are what is waited for. */
  fetch: Fetch
  /** Does something at a time of the clock, milliseconds from now. */
  at: (delayMs: number, action: () => void | Promise<void>) => void
  /** Moves the clock until the work is done. */
  run: <T>(work: Promise<T>) => Promise<T>
  /** Moves the clock by milliseconds, from timer to timer. */
  pass: (ms: number) => Promise<void>
}

/** @param hanging how many requests will never be answered */
export function createDrivenClock(hanging: () => number = () => 0): DrivenClock {
  const clock = createFakeClock()
  let underWay = 0
  let planned = 0

  const during = async <T>(work: Promise<T>): Promise<T> => {
    underWay++
    try {
      return await work
    } finally {
      underWay--
    }
  }
  // A call that waits for the clock has a timer; a call without one is about to continue.
  const isQuiet = (): boolean => underWay <= hanging() && clock.pendingTimers().length > planned
  /** Waits for requests, and lets work continue after them. */
  const rest = async (): Promise<void> => {
    for (let quiet = 0; quiet < 10; quiet++) {
      await setImmediate()
      if (underWay > hanging()) quiet = 0
    }
  }

  return {
    clock,
    fetch: (url, init) => during(fetchWhole(url, init)),
    at(delayMs, action) {
      planned++
      clock.setTimer(() => {
        planned--
        void during(Promise.resolve(action()))
      }, delayMs)
    },
    async run(work) {
      let isDone = false
      const end = (): void => {
        isDone = true
      }
      work.then(end, end)
      while (!isDone) {
        await setImmediate()
        const [next] = clock.pendingTimers()
        if (next !== undefined && isQuiet()) await advanceTo(next.dueMs, clock, isQuiet)
      }
      return await work
    },
    async pass(ms) {
      const untilMs = clock.nowMs() + ms
      await rest()
      while (clock.nowMs() < untilMs) {
        const dueMs = clock.pendingTimers()[0]?.dueMs ?? untilMs
        await clock.advance(Math.max(0, Math.min(dueMs, untilMs) - clock.nowMs()))
        await rest()
      }
    },
  }
}

/** Lets work continue that became ready just now. */
async function advanceTo(dueMs: number, clock: FakeClock, isQuiet: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await setImmediate()
  const [next] = clock.pendingTimers()
  if (next?.dueMs === dueMs && isQuiet()) await clock.advance(dueMs - clock.nowMs())
}

/** An answer that is there as a whole, so that reading it takes no time. */
async function fetchWhole(...[url, init]: Parameters<Fetch>): Promise<Response> {
  const response = await fetch(url, init)
  const { status, headers } = response
  return new Response(await response.arrayBuffer(), { status, headers })
}
