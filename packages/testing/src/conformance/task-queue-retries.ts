import assert from 'node:assert/strict'
import type { Suite } from './runner.js'
import type { TaskQueueHarness } from './task-queue-harness.js'
import {
  attemptsOf,
  makeTask,
  RETRY,
  startWorker,
  stopAll,
  until,
  wait,
} from './task-queue-fixtures.js'

const SETTLE_MS = 3000

/** Retries with backoff, and dead letters. */
export function describeRetries(suite: Suite<TaskQueueHarness>): void {
  suite.describe('retries', () => {
    describeAttempts(suite)
    describeDelays(suite)
    describeDeadLetters(suite)
  })
}

function describeAttempts({ test }: Suite<TaskQueueHarness>): void {
  for (const [what, thrown] of [
    ['an error', new Error('the mail server is down')],
    ['a value that is not an error', 'no mail'],
  ] as const) {
    test(`S50 retries a run that rejects with ${what}, and counts its attempts`, async (harness) => {
      const worker = await startWorker(harness, {
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- handlers may reject with any value
        run: (_, attempt) => (attempt < 3 ? Promise.reject(thrown) : Promise.resolve()),
      })
      await worker.queue.add([makeTask()], RETRY)
      await until(harness, 'three runs', () => worker.runs.length >= 3)
      await wait(harness, SETTLE_MS)
      assert.deepEqual(attemptsOf(worker), [1, 2, 3])
      assert.deepEqual(await harness.listDeadLetters(), [])
      await stopAll(harness, worker)
    })
  }
}

function describeDelays({ test }: Suite<TaskQueueHarness>): void {
  test('S50 waits before each retry, longer before the second one', async (harness) => {
    const worker = await startWorker(harness, { run: fail })
    await worker.queue.add([makeTask()], RETRY)
    await until(harness, 'three runs', () => worker.runs.length >= 3)
    const [first = 0, second = 0, third = 0] = worker.runs.map(({ atMs }) => atMs)
    // An engine may vary a delay at random, but not by more than half.
    assert.ok(second - first >= RETRY.minDelayMs / 2, `the first delay is ${second - first} ms`)
    assert.ok(third - second >= RETRY.minDelayMs, `the second delay is ${third - second} ms`)
    await stopAll(harness, worker)
  })
  test('S50 runs other tasks of the handler while one waits for its retry', async (harness) => {
    const worker = await startWorker(harness, {
      concurrency: 1,
      run: ({ reference }) => (reference === 'broken' ? fail() : Promise.resolve()),
    })
    const retry = { maxAttempts: 3, minDelayMs: 3_600_000, maxDelayMs: 3_600_000 }
    await worker.queue.add([makeTask({ reference: 'broken' })], retry)
    await until(harness, 'the first run', () => worker.runs.length === 1)
    await worker.queue.add([makeTask({ reference: 'order-2' })], retry)
    await until(harness, 'the second run', () => worker.runs.length === 2)
    assert.equal(worker.runs[1]?.task.reference, 'order-2')
    await stopAll(harness, worker)
  })
  test('S50 counts attempts across processes', async (harness) => {
    const first = await startWorker(harness, { run: fail })
    await first.queue.add([makeTask()], RETRY)
    await until(harness, 'the first run', () => first.runs.length > 0)
    await stopAll(harness, first)
    const second = await startWorker(harness)
    await until(harness, 'the retry', () => second.runs.length > 0)
    assert.deepEqual([...attemptsOf(first), ...attemptsOf(second)].slice(0, 2), [1, 2])
    await stopAll(harness, second)
  })
}

function describeDeadLetters({ test }: Suite<TaskQueueHarness>): void {
  test('S50 stores a task as a dead letter after maxAttempts runs, and never runs it again', async (harness) => {
    const retry = { ...RETRY, maxAttempts: 2 }
    const worker = await startWorker(harness, { run: fail, retry })
    const { idempotencyKey } = makeTask()
    await worker.queue.add([makeTask()], retry)
    const isDead = async (): Promise<boolean> => (await harness.listDeadLetters()).length > 0
    await until(harness, 'the task is dead', isDead)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(attemptsOf(worker), [1, 2])
    assert.deepEqual(await harness.listDeadLetters(), [idempotencyKey])
    await stopAll(harness, worker)
  })
  test('S88 does not run a dead task again that is added again', async (harness) => {
    const retry = { ...RETRY, maxAttempts: 1 }
    const worker = await startWorker(harness, { run: fail, retry })
    await worker.queue.add([makeTask()], retry)
    const isDead = async (): Promise<boolean> => (await harness.listDeadLetters()).length > 0
    await until(harness, 'the task is dead', isDead)
    await worker.queue.add([makeTask()], retry)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(attemptsOf(worker), [1])
    await stopAll(harness, worker)
  })
}

function fail(): Promise<never> {
  return Promise.reject(new Error('the mail server is down'))
}
