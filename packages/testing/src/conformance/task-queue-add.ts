import assert from 'node:assert/strict'
import { callConcurrently, type Suite } from './runner.js'
import type { TaskQueueHarness } from './task-queue-harness.js'
import {
  attemptsOf,
  heldWork,
  keysOf,
  makeTask,
  makeTasks,
  NAME,
  RETRY,
  startWorker,
  stopAll,
  until,
  wait,
} from './task-queue-fixtures.js'

const ADDERS = 20
const SETTLE_MS = 1500

/** add: one job per idempotency key, with its data unchanged. */
export function describeAdd(suite: Suite<TaskQueueHarness>): void {
  suite.describe('add', () => {
    describeData(suite)
    describeOnce(suite)
    describeAddedAgain(suite)
    describeMany(suite)
  })
}

function describeData({ test }: Suite<TaskQueueHarness>): void {
  test('runs a task once, as attempt 1', async (harness) => {
    const worker = await startWorker(harness)
    await worker.queue.add([makeTask()], RETRY)
    await until(harness, 'the task runs', () => worker.runs.length > 0)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(attemptsOf(worker), [1])
    await stopAll(harness, worker)
  })
  test('S83 passes every field of a task unchanged, whatever its characters', async (harness) => {
    // Three bytes each and all different.
    const long = String.fromCodePoint(...Array.from({ length: 1024 }, (_, i) => 0x4e00 + i))
    const tasks = [
      makeTask({ merchant: 'shop:1/ü "a"', reference: 'order:7/💎 \\ \n', reportId: 'a-b:c' }),
      makeTask({ reference: 'order:7', merchant: 'shop' }),
      makeTask({ reference: '7', merchant: 'shop:order' }),
      makeTask({ reference: long, txHash: `x${'0'.repeat(500)}` }),
      makeTask({ reference: '12345' }),
      makeTask({ reference: '__proto__' }),
    ]
    const worker = await startWorker(harness)
    await worker.queue.add(tasks, RETRY)
    await until(harness, 'all tasks run', () => worker.runs.length >= tasks.length)
    const received = new Map(worker.runs.map(({ task }) => [task.idempotencyKey, task]))
    assert.equal(received.size, tasks.length)
    for (const task of tasks) assert.deepEqual(received.get(task.idempotencyKey), task)
    await stopAll(harness, worker)
  })
  test('keeps a task that is added before a process runs its handler', async (harness) => {
    const queue = await harness.open()
    await queue.add([makeTask()], RETRY)
    const worker = await startWorker(harness)
    await until(harness, 'the task runs', () => worker.runs.length > 0)
    await stopAll(harness, worker)
  })
  test('accepts no tasks', async (harness) => {
    await (await harness.open()).add([], RETRY)
  })
}

function describeOnce({ test }: Suite<TaskQueueHarness>): void {
  test('S88 runs a task once that is added twice', async (harness) => {
    const worker = await startWorker(harness)
    const task = makeTask()
    await worker.queue.add([task, makeTask({ reference: 'order-2' })], RETRY)
    await worker.queue.add([task, makeTask({ reference: 'order-3' })], RETRY)
    await until(harness, 'three tasks run', () => worker.runs.length >= 3)
    await wait(harness, SETTLE_MS)
    assert.equal(new Set(keysOf(worker.runs)).size, 3)
    assert.equal(worker.runs.length, 3)
    await stopAll(harness, worker)
  })
  test('S88 runs each task once that several processes add concurrently', async (harness) => {
    const worker = await startWorker(harness)
    const tasks = makeTasks(5)
    const queues = [await harness.open(), await harness.open()]
    await callConcurrently(ADDERS, async (index) => queues[index % 2]?.add(tasks, RETRY))
    await until(harness, 'all tasks run', () => worker.runs.length >= tasks.length)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(keysOf(worker.runs), keysOf(tasks))
    await stopAll(harness, worker)
  })
}

function describeAddedAgain({ test }: Suite<TaskQueueHarness>): void {
  test('S88 does not run a task again that is added while it runs', async (harness) => {
    const { work, release } = heldWork()
    const worker = await startWorker(harness, { run: work })
    await worker.queue.add([makeTask()], RETRY)
    await until(harness, 'the task runs', () => worker.running() === 1)
    await (await harness.open()).add([makeTask()], RETRY)
    await wait(harness, SETTLE_MS)
    release()
    await wait(harness, SETTLE_MS)
    assert.equal(worker.runs.length, 1)
    await stopAll(harness, worker)
  })
  test('S88 does not run a task again that is added after it has finished', async (harness) => {
    const worker = await startWorker(harness)
    await worker.queue.add([makeTask()], RETRY)
    await until(harness, 'the task runs', () => worker.runs.length > 0)
    await wait(harness, SETTLE_MS)
    await (await harness.open()).add([makeTask()], RETRY)
    await wait(harness, SETTLE_MS)
    assert.equal(worker.runs.length, 1)
    await stopAll(harness, worker)
  })
}

function describeMany({ test }: Suite<TaskQueueHarness>): void {
  test('S60 runs one job for each name, even if the other fields are equal', async (harness) => {
    const ours = await startWorker(harness)
    const theirs = await startWorker(harness, { name: 'shop:2' })
    await ours.queue.add([makeTask()], RETRY)
    await ours.queue.add([makeTask({ name: 'shop:2' })], RETRY)
    await until(harness, 'both run', () => ours.runs.length > 0 && theirs.runs.length > 0)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(
      [ours, theirs].map(({ runs }) => runs.map(({ task }) => task.name)),
      [[NAME], ['shop:2']],
    )
    await stopAll(harness, ours, theirs)
  })
  test('S88 runs each of 60 tasks once in one of two processes', async (harness) => {
    const workers = [await startWorker(harness), await startWorker(harness)]
    const tasks = makeTasks(60)
    await workers[0]?.queue.add(tasks, RETRY)
    const runs = (): ReturnType<typeof keysOf> => keysOf(workers.flatMap((one) => one.runs))
    await until(harness, 'all tasks run', () => runs().length >= tasks.length)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(runs(), keysOf(tasks))
    await stopAll(harness, ...workers)
  })
}
