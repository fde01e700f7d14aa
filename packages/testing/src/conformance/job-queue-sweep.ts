import assert from 'node:assert/strict'
import type { JobQueueHarness } from './job-queue.js'
import { heldWork, startServer, SWEEP_EVERY_MS, until, type Server } from './job-queue-fixtures.js'
import { type Suite, withHarness } from './runner.js'

/** The sweep: one server at a time looks after everything. */
export function describeSweep({ makeHarness, runner }: Suite<JobQueueHarness>): void {
  const { it } = runner
  const withQueue = (test: (harness: JobQueueHarness) => Promise<void>) => () =>
    withHarness(makeHarness, test)

  runner.describe('sweep', () => {
    it(
      'is called again and again on the only server',
      withQueue(async (harness) => {
        const server = await startServer(harness, { sweepEveryMs: SWEEP_EVERY_MS })
        await until(harness, 'three sweeps', () => server.sweeps.length >= 3)
        await server.subscription.stop()
        const { length } = server.sweeps
        await harness.passTime(2 * SWEEP_EVERY_MS)
        assert.equal(server.sweeps.length, length)
      }),
    )
    it(
      'is called on one of several servers at a time, however long it takes',
      withQueue(async (harness) => {
        const { work, release } = heldWork()
        const servers: Server[] = []
        for (let count = 0; count < 3; count++) {
          const options = { sweepEveryMs: SWEEP_EVERY_MS, onSweep: work }
          servers.push(await startServer(harness, options))
        }
        const sweeps = (): number => servers.flatMap((server) => server.sweeps).length
        await until(harness, 'a sweep', () => sweeps() > 0)
        for (let step = 0; step < 30; step++) await harness.passTime(SWEEP_EVERY_MS / 10)
        assert.equal(sweeps(), 1)
        release()
        await until(harness, 'the next sweep', () => sweeps() > 1)
        await stopAll(harness, servers)
      }),
    )
    it(
      'is called about as often with several servers as with one',
      withQueue(async (harness) => {
        const servers: Server[] = []
        for (let count = 0; count < 3; count++) {
          servers.push(await startServer(harness, { sweepEveryMs: SWEEP_EVERY_MS }))
        }
        const startMs = harness.nowMs()
        const sweeps = (): number => servers.flatMap((server) => server.sweeps).length
        await until(harness, 'six sweeps', () => sweeps() >= 6)
        const tookMs = harness.nowMs() - startMs
        assert.ok(tookMs >= 3.5 * SWEEP_EVERY_MS, `six sweeps took ${tookMs} ms`)
        await stopAll(harness, servers)
      }),
    )
    it(
      'goes over to another server when one leaves',
      withQueue(async (harness) => {
        const options = { sweepEveryMs: SWEEP_EVERY_MS }
        const first = await startServer(harness, options)
        await until(harness, 'a sweep', () => first.sweeps.length > 0)
        const second = await startServer(harness, options)
        await first.subscription.stop()
        const { length } = second.sweeps
        await until(harness, 'two sweeps', () => second.sweeps.length >= length + 2)
        await second.subscription.stop()
      }),
    )
    it(
      'is arranged again by renew when the queue has lost it, and not doubled when it has not',
      withQueue(async (harness) => {
        const server = await startServer(harness, { sweepEveryMs: SWEEP_EVERY_MS })
        await until(harness, 'a sweep', () => server.sweeps.length > 0)
        await harness.lose?.()
        await server.subscription.renew()
        await server.subscription.renew()
        const { length } = server.sweeps
        const startMs = harness.nowMs()
        await until(harness, 'six sweeps', () => server.sweeps.length >= length + 6)
        const tookMs = harness.nowMs() - startMs
        assert.ok(tookMs >= 3.5 * SWEEP_EVERY_MS, `six sweeps took ${tookMs} ms`)
        await server.subscription.stop()
      }),
    )
  })
}

/** Sweeps that still run need time to end. */
async function stopAll(harness: JobQueueHarness, servers: Server[]): Promise<void> {
  let hasStopped = false
  const stopped = Promise.all(servers.map(({ subscription }) => subscription.stop())).then(() => {
    hasStopped = true
  })
  await until(harness, 'the end of the sweeps', () => hasStopped)
  await stopped
}
