import { memoryJobQueue, type JobQueue } from '@tonplug/core'
import { createManualClock, describeJobQueue, type ManualClock } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { findPassing } from './passing-tests.js'

interface Sabotage {
  /** What is wrong with the queue. */
  mistake: string
  /** The tests that must notice. */
  noticedBy: RegExp
  change: (queue: JobQueue, clock: ManualClock) => Partial<JobQueue>
}

const SABOTAGES: readonly Sabotage[] = [
  {
    mistake: 'has no name',
    noticedBy: /says what it is/,
    change: () => ({ name: '' }),
  },
  {
    mistake: 'wakes nobody',
    noticedBy: /at once|no earlier than|asked for while|one of them for each|another one while/,
    change: () => ({ wake: () => Promise.resolve() }),
  },
  {
    mistake: 'wakes too early',
    noticedBy: /no earlier than/,
    change: (inner) => ({ wake: (wakeUp) => inner.wake({ ...wakeUp, delayMs: 0 }) }),
  },
  {
    mistake: 'takes one wake-up alone while a server works',
    noticedBy: /asked for while/,
    change: (inner) => {
      let isWorking = false
      return {
        wake: (wakeUp) => (isWorking ? Promise.resolve() : inner.wake(wakeUp)),
        listen: (listener) =>
          inner.listen({
            ...listener,
            onWake: async () => {
              isWorking = true
              await listener.onWake()
              isWorking = false
            },
          }),
      }
    },
  },
  {
    mistake: 'wakes a server that works',
    noticedBy: /not wake it again before/,
    change: (inner) => ({
      listen: (listener) => inner.listen({ ...listener, onWake: unawaited(listener.onWake) }),
    }),
  },
  {
    mistake: 'refuses a wake-up for which nobody listens',
    noticedBy: /for which nobody listens/,
    change: (inner) => {
      let isListening = false
      return {
        listen: (listener) => {
          isListening = true
          return inner.listen(listener)
        },
        wake: (wakeUp) => (isListening ? inner.wake(wakeUp) : Promise.reject(new Error('nobody'))),
      }
    },
  },
  {
    mistake: 'wakes twice',
    noticedBy: /one of them for each wake-up/,
    change: (inner) => ({
      wake: async (wakeUp) => {
        await inner.wake(wakeUp)
        await inner.wake(wakeUp)
      },
    }),
  },
  {
    mistake: 'knows one server only',
    noticedBy: /another one while one is at work|one leaves/,
    change: (inner) => {
      let count = 0
      return {
        listen: (listener) =>
          count++ > 0 ? Promise.resolve({ renew: none, stop: none }) : inner.listen(listener),
      }
    },
  },
  {
    mistake: 'mixes receivers up',
    noticedBy: /for another receiver/,
    change: (inner) => ({
      wake: (wakeUp) => inner.wake({ ...wakeUp, receiver: 'all' }),
      listen: (listener) => inner.listen({ ...listener, receiver: 'all' }),
    }),
  },
  {
    mistake: 'does not wait for what runs when a server stops',
    noticedBy: /once its work has ended/,
    change: (inner) => ({
      listen: async (listener) => {
        const subscription = await inner.listen(listener)
        return { ...subscription, stop: () => Promise.resolve(void subscription.stop()) }
      },
    }),
  },
  {
    mistake: 'never lets a server go',
    noticedBy: /leaves a server that has stopped alone|again and again on the only/,
    change: (inner) => ({
      listen: async (listener) => ({ ...(await inner.listen(listener)), stop: none }),
    }),
  },
  {
    mistake: 'never sweeps',
    noticedBy: /sweep > /,
    change: (inner) => ({ listen: (listener) => inner.listen({ ...listener, onSweep: none }) }),
  },
  {
    mistake: 'sweeps on each server by itself',
    noticedBy: /on one of several servers at a time|about as often/,
    change: (_, clock) => ({ listen: (listener) => memoryJobQueue({ clock }).listen(listener) }),
  },
  {
    mistake: 'begins the sweep once more with each renewal',
    noticedBy: /not doubled/,
    change: (inner, clock) => ({
      listen: async (listener) => ({
        ...(await inner.listen(listener)),
        renew: async () => void (await memoryJobQueue({ clock }).listen(listener)),
      }),
    }),
  },
]

describe('describeJobQueue', () => {
  it.each(SABOTAGES)('notices a queue that $mistake', async ({ change, noticedBy }) => {
    const makeHarness = () => {
      const clock = createManualClock()
      const memory = memoryJobQueue({ clock })
      const jobs = { ...memory, ...change(memory, clock) }
      return {
        open: () => Promise.resolve(jobs),
        nowMs: () => clock.nowMs(),
        passTime: (ms: number) => clock.advance(ms),
      }
    }
    const define = describeJobQueue.bind(undefined, 'sabotaged', makeHarness)
    expect(await findPassing(define, noticedBy)).toEqual([])
  })
})

function none(): Promise<void> {
  return Promise.resolve()
}

function unawaited(work: () => Promise<void>): () => Promise<void> {
  return () => Promise.resolve(void work())
}
