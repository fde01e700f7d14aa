import assert from 'node:assert/strict'
import type { JobQueue } from '@tonplug/core'
import { describeJobServers } from './job-queue-servers.js'
import { describeSweep } from './job-queue-sweep.js'
import { describeWakeUps } from './job-queue-wake-ups.js'
import { type MakeHarness, type TestRunner, withHarness } from './runner.js'

/** A job queue under test. It starts empty. */
export interface JobQueueHarness {
  /** The queue as one more server has it. All of one harness share their wake-ups. */
  open: () => Promise<JobQueue>
  /** The time by which the queue works. */
  nowMs: () => number
  /** Lets time pass: moves the clock of the test, or waits if the queue cannot be given one. */
  passTime: (ms: number) => Promise<void>
  /** Empties the queue behind the servers' backs. Left out where nobody could. */
  lose?: (() => Promise<void>) | undefined
  /** Called after each test. */
  close?: (() => Promise<void>) | undefined
}

/**
 * Defines the tests that every {@link JobQueue} has to pass: wake-ups that come, no earlier than asked for and to one
 * server, and a sweep on one server at a time.
 * @param makeHarness makes an empty queue; called once for each test.
 * @example
 * ```ts
 * import { describe, it } from 'node:test'
 * import { memoryJobQueue } from '@tonplug/core'
 * import { createManualClock, describeJobQueue } from '@tonplug/testing'
 *
 * const makeHarness = () => {
 *   const clock = createManualClock()
 *   const jobs = memoryJobQueue({ clock })
 *   return { open: async () => jobs, nowMs: () => clock.nowMs(), passTime: (ms) => clock.advance(ms) }
 * }
 * describeJobQueue('memory', makeHarness, { describe, it })
 * ```
 */
export function describeJobQueue(
  name: string,
  makeHarness: MakeHarness<JobQueueHarness>,
  runner: TestRunner,
): void {
  const suite = { makeHarness, runner }
  runner.describe(`JobQueue: ${name}`, () => {
    runner.it('says what it is', () =>
      withHarness(makeHarness, async ({ open }) => {
        const jobs = await open()
        assert.ok(jobs.name.length > 0, 'it has a name')
      }),
    )
    describeWakeUps(suite)
    describeJobServers(suite)
    describeSweep(suite)
  })
}
