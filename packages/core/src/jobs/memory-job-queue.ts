import { systemClock, type Clock } from '../runtime/clock.js'
import type { JobListener, JobQueue } from './job-queue.js'

/**
 * A {@link JobQueue} of timers in this process, for the receivers that are given this object. It is the default, and
 * all that a single server needs: what is due is in the inbox, and found there after a restart.
 * @param options.clock the receiver's. @default systemClock
 */
export function memoryJobQueue({
  clock = systemClock,
}: { clock?: Clock | undefined } = {}): JobQueue {
  const receivers = new Map<string, Circle>()
  return {
    name: 'memory',
    wake: async ({ receiver, delayMs }) => receivers.get(receiver)?.wake(delayMs),
    listen: async (listener) => {
      const { receiver } = listener
      const circle = receivers.get(receiver) ?? createCircle(clock, listener.sweepEveryMs)
      receivers.set(receiver, circle)
      const leave = circle.join(listener)
      return {
        renew: () => Promise.resolve(),
        async stop() {
          await leave()
          if (circle.isEmpty()) receivers.delete(receiver)
        },
      }
    },
  }
}

/** The listeners of one receiver, who take turns. */
interface Circle {
  join: (listener: JobListener) => () => Promise<void>
  isEmpty: () => boolean
  wake: (delayMs: number) => void
}

/** A listener, and the end of what it was called for last. */
interface Member {
  listener: JobListener
  lastCall: Promise<void>
}

function createCircle(clock: Clock, sweepEveryMs: number): Circle {
  let members: Member[] = []
  const cancels = new Set<() => void>()

  const after = (delayMs: number, callback: () => void): void => {
    const cancel = clock.setTimer(
      () => {
        cancels.delete(cancel)
        callback()
      },
      delayMs,
      { isBackground: true },
    )
    cancels.add(cancel)
  }
  const callNext = (work: 'onWake' | 'onSweep'): Promise<void> => {
    const member = members.shift()
    if (member === undefined) return Promise.resolve()
    members.push(member)
    member.lastCall = member.lastCall.then(() => member.listener[work]())
    return member.lastCall
  }
  const sweep = async (): Promise<void> => {
    await callNext('onSweep')
    if (members.length > 0) after(sweepEveryMs, () => void sweep())
  }

  return {
    join(listener) {
      const member: Member = { listener, lastCall: Promise.resolve() }
      members.push(member)
      if (members.length === 1) after(sweepEveryMs, () => void sweep())
      return async () => {
        members = members.filter((other) => other !== member)
        if (members.length === 0) {
          for (const cancel of cancels) cancel()
          cancels.clear()
        }
        await member.lastCall
      }
    },
    isEmpty: () => members.length === 0,
    wake: (delayMs) => after(delayMs, () => void callNext('onWake')),
  }
}
