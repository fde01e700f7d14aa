import { onAbort } from '../../shared/abort.js'
import { monotonicClock, startTimer, type Clock } from '../../shared/clock.js'
import { checkOptions, objectParam, positiveParam, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { PRIORITIES, type Priority } from './call-options.js'
import { capPause, createPauses } from './servers.js'

export interface SlotRequest {
  priority: Priority
  /** True for a retry, which precedes first attempts of the same priority. */
  isRetry: boolean
  signal: AbortSignal
  /**
   * The base URLs of the servers that it may be sent to: it waits for a pause only while all of them are paused.
   * @default none: it only waits for pauses without a server
   */
  servers?: readonly string[] | undefined
  /**
   * True when the caller calls `begin()` as it sends the request. Until then the slot is taken, and from then on it counts.
   * @default false: it counts from its admission on
   */
  isBeginReported?: boolean | undefined
}

/** Limits the rate of requests. A limiter may be shared by several transports, or by several processes. */
export interface RateLimiter {
  /**
   * Resolves when one request may be sent, and counts it.
   * @throws the signal's reason, as soon as it is aborted.
   */
  acquire(request: SlotRequest): Promise<void>
  /**
   * Called once for each admitted request with `isBeginReported`, when it is sent, or dropped: between its admission and
   * `fetch`, other work may take time. Without this method, requests count from their admission on.
   */
  begin?: (() => void) | undefined
  /**
   * Begins a pause in which no requests are sent to a server that rejected one, at most ten minutes. A shorter pause never
   * ends a longer one.
   * @param server its base URL; `undefined` for all servers
   */
  pause(durationMs: number, server?: string): void | Promise<void>
}

export interface RateLimiterOptions {
  /** Requests per second; below 1 for one request in several seconds; `Infinity` for no limit but pauses. */
  rps: number
  /** @default a monotonic clock */
  clock?: Clock | undefined
}

const optionShape: OptionShape<RateLimiterOptions> = {
  rps: positiveParam,
  clock: optionalParam(objectParam('an object')),
}

/** The result of a request that did not have to wait. */
export const ADMITTED = Promise.resolve()

/**
 * Creates a limiter for one process. Up to `rps` requests begin at once, then each one as soon as the one `rps` before it is
 * a second old. Pass it to several transports when they use one key.
 * @throws {ConfigurationError} when `rps` is not above 0.
 */
export function createRateLimiter(options: RateLimiterOptions): RateLimiter {
  checkOptions(optionShape, options)
  const { rps, clock = monotonicClock } = options
  const window = createWindow(rps)
  const pauses = createPauses(clock)
  const queues = new Map<string, Queue>()
  let cancelTimer: (() => void) | undefined

  const startAtMs = ({ servers }: Pick<Queue, 'servers'>): number =>
    Math.max(window.nextStartMs(), pauses.untilMs(ALL), pauses.untilMs(servers))
  const admit = (): void => {
    cancelTimer?.()
    cancelTimer = undefined
    for (let waiting = waitingIn(queues); waiting.length > 0; waiting = waitingIn(queues)) {
      const startMs = Math.min(...waiting.map(startAtMs))
      const nowMs = clock.nowMs()
      // `begin` admits the next one.
      if (startMs === Infinity) return
      if (startMs > nowMs) return void (cancelTimer = startTimer(clock, startMs - nowMs, admit))
      const ready = waiting.filter((queue) => startAtMs(queue) <= nowMs)
      const [first] = ready.toSorted((one, other) => one.firstRank() - other.firstRank())
      window.take(nowMs, first?.admitFirst())
    }
  }

  return {
    acquire(request) {
      const servers = request.servers?.length ? request.servers : ALL
      const nowMs = clock.nowMs()
      if (queues.size === 0 && !request.signal.aborted && startAtMs({ servers }) <= nowMs) {
        window.take(nowMs, request)
        return ADMITTED
      }
      const admitted = queueOf(queues, servers, admit).wait(request)
      // While a timer is set, only requests to other servers can be admitted.
      if (cancelTimer === undefined || queues.size > 1) admit()
      return admitted
    },
    begin() {
      window.begin(clock.nowMs())
      if (cancelTimer === undefined && queues.size > 0) admit()
    },
    pause: (durationMs, server = '') => pauses.begin(server, capPause(durationMs)),
  }
}

/** The name of a pause of all servers. */
const ALL = ['']

/** Requests that wait for the same servers. */
interface Queue extends WaitingLine {
  servers: readonly string[]
}

function queueOf(
  queues: Map<string, Queue>,
  servers: readonly string[],
  onLeave: () => void,
): Queue {
  const key = servers.join(' ')
  const queue = queues.get(key) ?? { servers, ...createWaitingLine(onLeave) }
  queues.set(key, queue)
  return queue
}

/** Removes empty queues and returns the others. */
function waitingIn(queues: Map<string, Queue>): Queue[] {
  for (const [key, queue] of queues) if (queue.firstRank() === Infinity) queues.delete(key)
  return [...queues.values()]
}

/** A second with a margin: the network delivers requests closer together than they were sent. */
const WINDOW_MS = 1010

/** Returns the window that never admits more than `rps` requests in any one second. */
export function windowSize(rps: number): { capacity: number; durationMs: number } {
  return rps < 1
    ? { capacity: 1, durationMs: WINDOW_MS / rps }
    : { capacity: Math.floor(rps), durationMs: WINDOW_MS }
}

/**
 * Creates the last starts in a sliding window. `nextStartMs` is `-Infinity` before the first one, and `Infinity` while all
 * slots are taken by requests that have not begun.
 */
function createWindow(rps: number) {
  const { capacity, durationMs } = windowSize(rps)
  if (capacity === Infinity) return UNLIMITED
  // A ring: the next index to write is that of the oldest start.
  const starts: number[] = []
  let next = 0
  let taken = 0
  const recordStart = (nowMs: number): void => {
    starts[next] = nowMs
    next = (next + 1) % capacity
  }
  return {
    nextStartMs: () =>
      taken >= capacity ? Infinity : (starts[(next + taken) % capacity] ?? -Infinity) + durationMs,
    take(nowMs: number, request: Begin | undefined): void {
      if (request?.isBeginReported === true) taken++
      else recordStart(nowMs)
    },
    begin(nowMs: number): void {
      if (taken === 0) return
      taken--
      recordStart(nowMs)
    },
  }
}

const UNLIMITED = { nextStartMs: () => -Infinity, take: () => undefined, begin: () => undefined }

type Begin = Pick<SlotRequest, 'isBeginReported'>

/** Waiting requests: by priority, retries first, then in the order of arrival. */
export interface WaitingLine {
  /** Waits until {@link WaitingLine.admitFirst} admits the request. @throws the signal's reason. */
  wait(request: SlotRequest): Promise<void>
  /** Returns the request that is admitted next; `undefined` when none waits. */
  first(): Begin | undefined
  /** @returns the admitted request; `undefined` when none waits. */
  admitFirst(): Begin | undefined
  failAll(error: unknown): void
  /** Returns the rank of the first request among the requests of several lines, the lowest first; `Infinity` when none waits. */
  firstRank(): number
}

interface Waiter {
  /** Position in the order of arrival, over all lines. */
  order: number
  request: Begin
  admit: () => void
  fail: (error: unknown) => void
}

let arrivals = 0
/** More than ever arrive. */
const LANE_LENGTH = 2 ** 50

/** Creates an empty line. @param onLeave called when an aborted request has left the line. */
export function createWaitingLine(onLeave: () => void): WaitingLine {
  // For each priority the retries, then the first attempts. Sets keep the order and delete in constant time.
  const lanes = PRIORITIES.flatMap(() => [new Set<Waiter>(), new Set<Waiter>()])
  const firstLane = (): number => lanes.findIndex((lane) => lane.size > 0)
  const first = (): Waiter | undefined => lanes[firstLane()]?.values().next().value

  return {
    wait(request) {
      const lane = lanes[PRIORITIES.indexOf(request.priority) * 2 + (request.isRetry ? 0 : 1)]
      // Every priority has two lanes.
      return waitIn(lane as Set<Waiter>, request, onLeave)
    },
    first: () => first()?.request,
    admitFirst() {
      const waiter = first()
      waiter?.admit()
      return waiter?.request
    },
    failAll(error) {
      for (const waiter of lanes.flatMap((lane) => [...lane])) waiter.fail(error)
    },
    firstRank: () => firstLane() * LANE_LENGTH + (first()?.order ?? Infinity),
  }
}

function waitIn(lane: Set<Waiter>, request: SlotRequest, onLeave: () => void): Promise<void> {
  const { signal } = request
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const leave = (): void => {
      lane.delete(waiter)
      stopListening()
    }
    const waiter: Waiter = {
      order: arrivals++,
      request,
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
