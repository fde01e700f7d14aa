import { onAbort } from './abort.js'
import { checkPriority, PRIORITIES, type Priority } from './priority.js'

/** What a transport says about the request that it wants to send. */
export interface SlotRequest {
  priority: Priority
  /** Whether it was sent before: it then goes ahead of first attempts of the same priority. */
  isRetry: boolean
  /** Ends the wait; the slot is then left to others. */
  signal: AbortSignal
}

/** Those who wait for a slot: by priority, retries first, then in the order of their coming. */
export interface WaitingLine {
  /** Queues a request until {@link WaitingLine.admitNext} lets it go or its signal is aborted. */
  wait(request: SlotRequest): Promise<void>
  /** Lets the first one go. */
  admitNext(): void
  /** Ends every wait with an error. */
  failAll(error: unknown): void
  readonly isEmpty: boolean
}

interface Waiter {
  admit: () => void
  fail: (error: unknown) => void
}

/** @param onLeave called when an aborted request has left the line. */
export function createWaitingLine(onLeave: () => void = () => undefined): WaitingLine {
  // For each priority the retries, then the first attempts. Sets keep the order and forget fast.
  const lanes = PRIORITIES.flatMap(() => [new Set<Waiter>(), new Set<Waiter>()])
  const firstLane = (): Set<Waiter> | undefined => lanes.find((lane) => lane.size > 0)

  return {
    wait({ priority, isRetry, signal }) {
      const lane = lanes[PRIORITIES.indexOf(checkPriority(priority)) * 2 + (isRetry ? 0 : 1)]
      // Every priority has its two lanes.
      return waitIn(lane as Set<Waiter>, signal, onLeave)
    },
    admitNext: () => firstLane()?.values().next().value?.admit(),
    failAll(error) {
      for (const waiter of lanes.flatMap((lane) => [...lane])) waiter.fail(error)
    },
    get isEmpty() {
      return firstLane() === undefined
    },
  }
}

function waitIn(lane: Set<Waiter>, signal: AbortSignal, onLeave: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const leave = (): void => {
      lane.delete(waiter)
      stopListening()
    }
    const waiter: Waiter = {
      admit: () => {
        leave()
        resolve()
      },
      fail: (error) => {
        leave()
        reject(error)
      },
    }
    const stopListening = onAbort(signal, () => {
      waiter.fail(signal.reason)
      onLeave()
    })
    lane.add(waiter)
  })
}
