import type { JobQueue, JobSubscription } from '@tonplug/core'
import type { JobQueueHarness } from './job-queue.js'

/** Whose wake-ups they are; no queue may stumble over the signs in it, nor over its length. */
export const RECEIVER = `shop:1/ü *${'x'.repeat(200)}`
/** How often the tests have the sweep called. */
export const SWEEP_EVERY_MS = 1000

const STEP_MS = 50
const MAX_STEPS = 400

/** A server that listens, and what it was called for. */
export interface Server {
  jobs: JobQueue
  subscription: JobSubscription
  /** When each call began, by the harness's time. */
  wakes: number[]
  sweeps: number[]
  /** Calls that have begun and not ended. */
  running: () => number
}

interface ServerOptions {
  receiver?: string
  sweepEveryMs?: number
  onWake?: () => Promise<void>
  onSweep?: () => Promise<void>
}

/** Opens the queue for one more server and listens. Its sweep is out of the way unless `sweepEveryMs` is given. */
export async function startServer(
  { open, nowMs }: JobQueueHarness,
  {
    receiver = RECEIVER,
    sweepEveryMs = 3_600_000,
    onWake = () => Promise.resolve(),
    onSweep = () => Promise.resolve(),
  }: ServerOptions = {},
): Promise<Server> {
  const jobs = await open()
  const wakes: number[] = []
  const sweeps: number[] = []
  let running = 0
  const noting = (times: number[], work: () => Promise<void>) => async (): Promise<void> => {
    times.push(nowMs())
    running++
    await work()
    running--
  }
  const subscription = await jobs.listen({
    receiver,
    sweepEveryMs,
    onWake: noting(wakes, onWake),
    onSweep: noting(sweeps, onSweep),
  })
  return { jobs, subscription, wakes, sweeps, running: () => running }
}

/** Lets time pass until the condition holds. */
export async function until(
  { passTime }: JobQueueHarness,
  what: string,
  condition: () => boolean,
): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (condition()) return
    await passTime(STEP_MS)
  }
  throw new Error(`${what}: not within ${(MAX_STEPS * STEP_MS) / 1000} s`)
}

/** Work that ends when the test says so. */
export function heldWork(): { work: () => Promise<void>; release: () => void } {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  return { work: () => held, release: () => release() }
}
