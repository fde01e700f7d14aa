import assert from 'node:assert/strict'
import { handlerTaskKey, type QueuedTask, type TaskQueue, type TaskWorker } from '@tonplug/core'
import type { TaskQueueHarness } from './task-queue-harness.js'

/** A name of Payments with characters that engines do not allow in the names of queues. */
export const NAME = `shop:1/ü *${'x'.repeat(200)}`
/** Whole seconds: some engines count in them. */
export const RETRY: TaskWorker['retry'] = { maxAttempts: 3, minDelayMs: 1000, maxDelayMs: 2000 }

const STEP_MS = 50
const MAX_STEPS = 1200

/** One run of a job. */
export interface Run {
  task: QueuedTask
  attempt: number
  /** When it began, by the time of the harness. */
  atMs: number
}

/** A process that runs jobs. */
export interface Worker {
  queue: TaskQueue
  runs: Run[]
  /** Returns the runs that have begun and not ended, of one handler or of all. */
  running: (handler?: string) => number
  stop: () => Promise<void>
}

/** Returns a task of `onPaid` for an order. */
export function makeTask(changes: Partial<QueuedTask> = {}): QueuedTask {
  const task = {
    name: NAME,
    merchant: '',
    handler: 'onPaid',
    reference: 'order-1',
    txHash: 'c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f',
    reportId: '42',
    ...changes,
  }
  return { idempotencyKey: handlerTaskKey(task.handler, task), ...task }
}

/** Returns tasks of one handler for different orders. */
export function makeTasks(count: number, handler = 'onPaid'): QueuedTask[] {
  return Array.from({ length: count }, (_, index) =>
    makeTask({ handler, reference: `${handler} ${index}` }),
  )
}

/** Opens the queue for one more process and runs its jobs. */
export async function startWorker(
  { open, nowMs }: TaskQueueHarness,
  {
    name = NAME,
    handlers = ['onPaid'],
    concurrency = 8,
    retry = RETRY,
    run = () => Promise.resolve(),
  }: {
    name?: string
    handlers?: readonly string[]
    concurrency?: number
    retry?: TaskWorker['retry']
    run?: (task: QueuedTask, attempt: number) => Promise<void>
  } = {},
): Promise<Worker> {
  const queue = await open()
  const runs: Run[] = []
  const active: QueuedTask[] = []
  const work = await queue.work({
    name,
    handlers,
    concurrency,
    retry,
    onError: () => undefined,
    run: async (task, { attempt }) => {
      runs.push({ task, attempt, atMs: nowMs() })
      active.push(task)
      try {
        await run(task, attempt)
      } finally {
        active.splice(active.indexOf(task), 1)
      }
    },
  })
  const running = (handler?: string): number =>
    active.filter((task) => handler === undefined || task.handler === handler).length
  return { queue, runs, running, stop: () => work.stop() }
}

/** Lets time pass until the condition is true. */
export async function until(
  { passTime }: TaskQueueHarness,
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await isTrue()) return
    await passTime(STEP_MS)
  }
  assert.fail(`not within ${(MAX_STEPS * STEP_MS) / 1000} s: ${what}`)
}

/** Lets `ms` pass in small steps. */
export async function wait({ passTime }: TaskQueueHarness, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) await passTime(STEP_MS)
}

/** Stops processes; running jobs need time to end. */
export async function stopAll(harness: TaskQueueHarness, ...workers: Worker[]): Promise<void> {
  let isStopped = false
  const stopped = Promise.all(workers.map(({ stop }) => stop())).then(() => (isStopped = true))
  await until(harness, 'the processes have stopped', () => isStopped)
  await stopped
}

/** Returns work that does not end before `release` is called. */
export function heldWork(): { work: () => Promise<void>; release: () => void } {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  return { work: () => held, release: () => release() }
}

/** Returns the idempotency keys of tasks or runs, sorted. */
export function keysOf(items: readonly (QueuedTask | Run)[]): string[] {
  return items.map((item) => ('task' in item ? item.task : item).idempotencyKey).sort()
}

/** Returns the attempt of each run. */
export function attemptsOf({ runs }: Worker): number[] {
  return runs.map(({ attempt }) => attempt)
}
