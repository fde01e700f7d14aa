import assert from 'node:assert/strict'
import type { JobQueueHarness } from './job-queue.js'
import { heldWork, RECEIVER, startServer, until } from './job-queue-fixtures.js'
import { type Suite, withHarness } from './runner.js'

/** wake, with one server that listens. */
export function describeWakeUps({ makeHarness, runner }: Suite<JobQueueHarness>): void {
  const { it } = runner
  const withQueue = (test: (harness: JobQueueHarness) => Promise<void>) => () =>
    withHarness(makeHarness, test)

  runner.describe('wake', () => {
    it(
      'wakes the server at once when there is no delay',
      withQueue(async (harness) => {
        const server = await startServer(harness)
        await server.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        await until(harness, 'the wake-up', () => server.wakes.length > 0)
        assert.equal(server.wakes.length, 1)
        await server.subscription.stop()
      }),
    )
    it(
      'wakes it no earlier than asked for, and an earlier time before a later one',
      withQueue(async (harness) => {
        const server = await startServer(harness)
        const startMs = harness.nowMs()
        await server.jobs.wake({ receiver: RECEIVER, delayMs: 2500 })
        await server.jobs.wake({ receiver: RECEIVER, delayMs: 1200 })
        await until(harness, 'both wake-ups', () => server.wakes.length === 2)
        const [first = 0, second = 0] = server.wakes
        assert.ok(first >= startMs + 1200, `the first came after ${first - startMs} ms`)
        assert.ok(second >= startMs + 2500, `the second came after ${second - startMs} ms`)
        await server.subscription.stop()
      }),
    )
    it(
      'wakes it again for what was asked for while it worked',
      withQueue(async (harness) => {
        const { work, release } = heldWork()
        const server = await startServer(harness, { onWake: work })
        await server.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        await until(harness, 'the first wake-up', () => server.running() === 1)
        await server.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        release()
        await until(harness, 'the second wake-up', () => server.wakes.length === 2)
        await server.subscription.stop()
      }),
    )
    it(
      'does not wake it again before it has ended its work',
      withQueue(async (harness) => {
        const { work, release } = heldWork()
        const server = await startServer(harness, { onWake: work })
        await server.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        await until(harness, 'the first wake-up', () => server.running() === 1)
        for (let count = 0; count < 3; count++) {
          await server.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        }
        for (let step = 0; step < 20; step++) await harness.passTime(100)
        assert.equal(server.wakes.length, 1)
        release()
        await until(harness, 'the next wake-up', () => server.wakes.length > 1)
        await server.subscription.stop()
      }),
    )
    it(
      'takes a wake-up for which nobody listens',
      withQueue(async (harness) => {
        const jobs = await harness.open()
        await jobs.wake({ receiver: RECEIVER, delayMs: 0 })
      }),
    )
  })
}
