import assert from 'node:assert/strict'
import type { TaskQueueHarness } from './task-queue-harness.js'
import { defineTestsWith, type MakeHarness, type TestRunner } from './runner.js'
import { describeAdd } from './task-queue-add.js'
import { describeRetries } from './task-queue-retries.js'
import { describeWork } from './task-queue-work.js'

/**
 * Defines the tests that every `TaskQueue` must pass: one job per idempotency key, runs in a process that has the
 * handler, retries, dead letters, concurrency per handler, and shutdown.
 * @param makeHarness creates an empty queue; called once for each test.
 * @example
 * ```ts
 * import { setTimeout } from 'node:timers/promises'
 * import { describe, it } from 'node:test'
 * import type { TaskQueue } from '@tonplug/core'
 * import { describeTaskQueue } from '@tonplug/testing'
 *
 * declare function openQueue(): Promise<TaskQueue>
 * declare function listDeadLetters(): Promise<string[]>
 *
 * const makeHarness = () => {
 *   const passTime = (ms: number) => setTimeout(ms)
 *   return { open: openQueue, nowMs: () => Date.now(), passTime, listDeadLetters }
 * }
 * describeTaskQueue('my engine', makeHarness, { describe, it })
 * ```
 */
export function describeTaskQueue(
  name: string,
  makeHarness: MakeHarness<TaskQueueHarness>,
  runner: TestRunner,
): void {
  const test = defineTestsWith(makeHarness, runner)
  const suite = { describe: runner.describe, test }
  runner.describe(`TaskQueue: ${name}`, () => {
    test('has a name', async ({ open }) => {
      const queue = await open()
      assert.ok(queue.name.length > 0, 'queue.name must not be empty')
    })
    describeAdd(suite)
    describeRetries(suite)
    describeWork(suite)
  })
}
