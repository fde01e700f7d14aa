import type { TaskQueue } from '@tonplug/core'

/** A task queue under test. It starts empty. */
export interface TaskQueueHarness {
  /** Opens the queue for one more process. All queues of one harness share their jobs. */
  open: () => Promise<TaskQueue>
  /** The time by which the queue works, milliseconds. */
  nowMs: () => number
  /** Lets time pass: moves the fake clock, or waits where the engine cannot be given one. */
  passTime: (ms: number) => Promise<void>
  /** Returns the idempotency keys of dead letters, as the engine's own API lists them. */
  listDeadLetters: () => Promise<string[]>
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}
