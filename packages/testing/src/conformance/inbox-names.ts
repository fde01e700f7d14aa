import assert from 'node:assert/strict'
import type { InboxHarness } from './inbox-harness.js'
import {
  assertTimeLeft,
  claimReports,
  claimTasks,
  makeTasks,
  NAME,
  storeNew,
  storeParked,
  SWEEP_MS,
  storeDecided,
} from './inbox-fixtures.js'
import type { Suite } from './runner.js'

const OTHER = 'other'

/** Several Payments that share an inbox: none receives the rows of another. */
export function describeNames({ describe, test }: Suite<InboxHarness>): void {
  describe('names', () => {
    test('S60 S67 claims reports of its own name only', async ({ inbox }) => {
      const { id } = await storeNew(inbox, { name: OTHER, retryInMs: 0 })
      assert.deepEqual(await claimReports(inbox), [])
      const key = { reference: 'order-1' }
      assert.deepEqual(await claimReports(inbox, key), [])
      const [own] = await claimReports(inbox, { name: OTHER })
      assert.deepEqual([own?.id, own?.name], [id, OTHER])
    })
    test('S60 S67 claims tasks of its own name only', async ({ inbox }) => {
      await storeDecided(inbox, { name: OTHER, tasks: makeTasks('key') })
      assert.deepEqual(await claimTasks(inbox), [])
      assert.equal((await claimTasks(inbox, { name: OTHER })).length, 1)
    })
    test('S60 S67 matches references of its own name only', async ({ inbox }) => {
      await storeParked(inbox, { name: OTHER })
      const key = { reference: 'order-1', merchant: '' }
      assert.equal(await inbox.reports.orderCreated({ name: NAME, ...key }), 0)
      assert.equal(await inbox.reports.orderCreated({ name: OTHER, ...key }), 1)
    })
    test('S60 nextDueInMs considers its own name only', async ({ inbox }) => {
      await storeNew(inbox, { name: OTHER })
      assert.equal(await inbox.processes.nextDueInMs({ name: NAME }), undefined)
      assertTimeLeft(await inbox.processes.nextDueInMs({ name: OTHER }), SWEEP_MS)
    })
  })
}
