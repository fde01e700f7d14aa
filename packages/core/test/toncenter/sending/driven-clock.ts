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
