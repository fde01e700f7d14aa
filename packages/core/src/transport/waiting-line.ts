import { onAbort } from './abort.js'
import { checkPriority, PRIORITIES, type Priority } from './priority.js'

/** What a transport says about the request that it wants to send. */
export interface SlotRequest {
  priority: Priority
  /** Whether it was sent before: it then goes ahead of first attempts of the same priority. */
  isRetry: boolean
  /** Ends the wait; the slot is then left to others. */
  signal: AbortSignal
  /**
   * The servers that it may go to, by their base URLs: it waits for a pause only while all of them are paused.
   * @default none, which waits for pauses without a server only
   */
  servers?: readonly string[] | undefined
}

/** Those who wait for a slot: by priority, retries first, then in the order of their coming. */
export interface WaitingLine {
  /** Queues a request until {@link WaitingLine.admitNext} lets it go or its signal is aborted. */
  wait(request: SlotRequest): Promise<void>
  /** Lets the first one go. */
  admitNext(): void
  /** Ends every wait with an error. */
  failAll(error: unknown): void
  /** Where the first one stands among those of several lines, the lowest first; `Infinity` when nobody waits. */
  firstPlace(): number
}

interface Waiter {
  /** In the order of their coming, over all lines. */
  order: number
  admit: () => void
  fail: (error: unknown) => void
}

let arrivals = 0
/** More than ever arrive. */
const LANE_LENGTH = 2 ** 50

/** @param onLeave called when an aborted request has left the line. */
export function createWaitingLine(onLeave: () => void = () => undefined): WaitingLine {
  // For each priority the retries, then the first attempts. Sets keep the order and forget fast.
  const lanes = PRIORITIES.flatMap(() => [new Set<Waiter>(), new Set<Waiter>()])
  const firstLane = (): number => lanes.findIndex((lane) => lane.size > 0)
  const first = (): Waiter | undefined => lanes[firstLane()]?.values().next().value

  return {
    wait({ priority, isRetry, signal }) {
      const lane = lanes[PRIORITIES.indexOf(checkPriority(priority)) * 2 + (isRetry ? 0 : 1)]
      // Every priority has its two lanes.
      return waitIn(lane as Set<Waiter>, signal, onLeave)
    },
    admitNext: () => first()?.admit(),
    failAll(error) {
      for (const waiter of lanes.flatMap((lane) => [...lane])) waiter.fail(error)
    },
    firstPlace: () => firstLane() * LANE_LENGTH + (first()?.order ?? Infinity),
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
      order: arrivals++,
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
