import assert from 'node:assert/strict'
import type { Suite } from './runner.js'
import type { TaskQueueHarness } from './task-queue-harness.js'
import {
  heldWork,
  keysOf,
  makeTask,
  makeTasks,
  RETRY,
  startWorker,
  stopAll,
  until,
  wait,
} from './task-queue-fixtures.js'

const SETTLE_MS = 1500

/** work: each process runs its own handlers, each handler within its concurrency, until it is stopped. */
export function describeWork(suite: Suite<TaskQueueHarness>): void {
  suite.describe('work', () => {
    describeHandlers(suite)
    describeConcurrency(suite)
    describeHanging(suite)
    describeStop(suite)
  })
}

function describeHandlers({ test }: Suite<TaskQueueHarness>): void {
  const shipping = makeTask({ handler: 'onPaid.ship' })
  const mailing = makeTask({ handler: 'onPaid.mail' })
  test('S68 runs a task in a process that has its handler', async (harness) => {
    const ship = await startWorker(harness, { handlers: ['onPaid.ship'] })
    const mail = await startWorker(harness, { handlers: ['onPaid.mail'] })
    await ship.queue.add([mailing, shipping], RETRY)
    await until(harness, 'both run', () => ship.runs.length > 0 && mail.runs.length > 0)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(
      [keysOf(ship.runs), keysOf(mail.runs)],
      [keysOf([shipping]), keysOf([mailing])],
    )
    await stopAll(harness, ship, mail)
  })
  test('S68 leaves a task of another handler until a process with that handler starts', async (harness) => {
    const ship = await startWorker(harness, { handlers: ['onPaid.ship'] })
    await ship.queue.add([mailing], RETRY)
    await ship.queue.add([shipping], RETRY)
    await until(harness, 'the task of this process runs', () => ship.runs.length > 0)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(keysOf(ship.runs), keysOf([shipping]))
    const mail = await startWorker(harness, { handlers: ['onPaid.mail'] })
    await until(harness, 'the other task runs', () => mail.runs.length > 0)
    assert.equal(mail.runs[0]?.attempt, 1)
    await stopAll(harness, ship, mail)
  })
  test('runs the tasks of all handlers of a process', async (harness) => {
    const worker = await startWorker(harness, { handlers: ['onPaid.ship', 'onPaid.mail'] })
    await worker.queue.add([shipping, mailing], RETRY)
    await until(harness, 'both run', () => worker.runs.length >= 2)
    assert.deepEqual(keysOf(worker.runs), keysOf([shipping, mailing]))
    await stopAll(harness, worker)
  })
}

function describeConcurrency({ test }: Suite<TaskQueueHarness>): void {
  test('runs at most `concurrency` tasks of a handler at a time', async (harness) => {
    const { work, release } = heldWork()
    const worker = await startWorker(harness, { concurrency: 2, run: work })
    const tasks = makeTasks(6)
    await worker.queue.add(tasks, RETRY)
    await until(harness, 'two tasks run', () => worker.running() === 2)
    await wait(harness, SETTLE_MS)
    assert.equal(worker.runs.length, 2)
    release()
    await until(harness, 'all tasks run', () => worker.runs.length >= tasks.length)
    assert.deepEqual(keysOf(worker.runs), keysOf(tasks))
    await stopAll(harness, worker)
  })
}

function describeHanging({ test }: Suite<TaskQueueHarness>): void {
  test('S77 a handler that hangs, and its backlog, do not delay another handler', async (harness) => {
    const { work, release } = heldWork()
    const worker = await startWorker(harness, {
      handlers: ['slow', 'quick'],
      concurrency: 2,
      run: ({ handler }) => (handler === 'slow' ? work() : Promise.resolve()),
    })
    await worker.queue.add(makeTasks(20, 'slow'), RETRY)
    await until(harness, 'the slow handler hangs', () => worker.running('slow') === 2)
    await worker.queue.add(makeTasks(5, 'quick'), RETRY)
    const quick = () => worker.runs.filter(({ task }) => task.handler === 'quick')
    await until(harness, 'the quick tasks run', () => quick().length === 5)
    assert.equal(worker.running('slow'), 2)
    release()
    await until(harness, 'all tasks run', () => worker.runs.length === 25)
    await stopAll(harness, worker)
  })
  test('S77 runs tasks of a handler in another process while one hangs here', async (harness) => {
    const { work, release } = heldWork()
    const hanging = await startWorker(harness, { concurrency: 1, run: work })
    await hanging.queue.add(makeTasks(1), RETRY)
    await until(harness, 'the handler hangs', () => hanging.running() === 1)
    const other = await startWorker(harness)
    await hanging.queue.add(makeTasks(5).slice(1), RETRY)
    await until(harness, 'the others run', () => other.runs.length === 4)
    release()
    await stopAll(harness, hanging, other)
  })
}

function describeStop({ test }: Suite<TaskQueueHarness>): void {
  test('S52 stop resolves when the running tasks of the process have ended', async (harness) => {
    const { work, release } = heldWork()
    const worker = await startWorker(harness, { run: work })
    await worker.queue.add([makeTask()], RETRY)
    await until(harness, 'the task runs', () => worker.running() === 1)
    let isStopped = false
    const stopped = worker.stop().then(() => (isStopped = true))
    await wait(harness, SETTLE_MS)
    assert.equal(isStopped, false)
    release()
    await until(harness, 'the process has stopped', () => isStopped)
    await stopped
    assert.equal(worker.running(), 0)
    const other = await startWorker(harness)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(other.runs, [], 'the task has finished')
    await stopAll(harness, other)
  })
  test('S52 a stopped process begins no task; another process runs it', async (harness) => {
    const stopped = await startWorker(harness)
    await stopAll(harness, stopped)
    const queue = await harness.open()
    await queue.add(makeTasks(3), RETRY)
    await wait(harness, SETTLE_MS)
    assert.deepEqual(stopped.runs, [])
    const other = await startWorker(harness)
    await until(harness, 'the tasks run', () => other.runs.length === 3)
    assert.deepEqual(stopped.runs, [])
    await stopAll(harness, other)
  })
  test('S52 stop of one process does not stop another one', async (harness) => {
    const leaving = await startWorker(harness)
    const staying = await startWorker(harness)
    await stopAll(harness, leaving)
    await staying.queue.add(makeTasks(3), RETRY)
    await until(harness, 'the tasks run', () => staying.runs.length === 3)
    await stopAll(harness, staying)
  })
}
