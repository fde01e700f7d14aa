import assert from 'node:assert/strict'
import type { JobQueueHarness } from './job-queue.js'
import { heldWork, RECEIVER, startServer, until } from './job-queue-fixtures.js'
import { type Suite, withHarness } from './runner.js'

/** Several servers, several receivers, and servers that leave. */
export function describeJobServers({ makeHarness, runner }: Suite<JobQueueHarness>): void {
  const { it } = runner
  const withQueue = (test: (harness: JobQueueHarness) => Promise<void>) => () =>
    withHarness(makeHarness, test)

  runner.describe('several servers', () => {
    it(
      'wakes one of them for each wake-up',
      withQueue(async (harness) => {
        const servers = [await startServer(harness), await startServer(harness)]
        const wakes = (): number => servers.flatMap((server) => server.wakes).length
        for (let count = 1; count <= 4; count++) {
          await servers[0]?.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
          await until(harness, `wake-up ${count}`, () => wakes() >= count)
        }
        for (let step = 0; step < 15; step++) await harness.passTime(100)
        assert.equal(wakes(), 4)
        for (const { subscription } of servers) await subscription.stop()
      }),
    )
    it(
      'wakes another one while one is at work',
      withQueue(async (harness) => {
        const { work, release } = heldWork()
        const servers = [
          await startServer(harness, { onWake: work }),
          await startServer(harness, { onWake: work }),
        ]
        await servers[0]?.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        await until(harness, 'the first', () => servers.some(({ running }) => running() === 1))
        // Neither may be given to the one that works already, for good.
        for (let count = 0; count < 2; count++) {
          await servers[0]?.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        }
        await until(harness, 'the other', () => servers.every(({ running }) => running() === 1))
        release()
        for (const { subscription } of servers) await subscription.stop()
      }),
    )
    it(
      'wakes nobody for another receiver',
      withQueue(async (harness) => {
        const server = await startServer(harness)
        const other = await startServer(harness, { receiver: 'shop:2' })
        await server.jobs.wake({ receiver: 'shop:2', delayMs: 0 })
        await until(harness, 'the wake-up', () => other.wakes.length > 0)
        assert.equal(server.wakes.length, 0)
        await server.subscription.stop()
        await other.subscription.stop()
      }),
    )
    it(
      'leaves a server that has stopped alone, once its work has ended',
      withQueue(async (harness) => {
        const { work, release } = heldWork()
        const leaving = await startServer(harness, { onWake: work })
        await leaving.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        await until(harness, 'the wake-up', () => leaving.running() === 1)
        let hasStopped = false
        const stopped = leaving.subscription.stop().then(() => {
          hasStopped = true
        })
        await harness.passTime(100)
        assert.equal(hasStopped, false)
        release()
        await until(harness, 'the end', () => hasStopped)
        await stopped
        assert.equal(leaving.running(), 0)

        const staying = await startServer(harness)
        await staying.jobs.wake({ receiver: RECEIVER, delayMs: 0 })
        await until(harness, 'the next wake-up', () => staying.wakes.length > 0)
        assert.equal(leaving.wakes.length, 1)
        await staying.subscription.stop()
      }),
    )
  })
}
