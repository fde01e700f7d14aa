import assert from 'node:assert/strict'
import type { Inbox } from '@tonplug/core'
import { makePaid, NOW_MS, RECEIVER, storeNew } from './inbox-fixtures.js'
import type { InboxHarness } from './inbox.js'
import { type Suite, withHarness } from './runner.js'

const CALLS = 50

/** claimPayment, where the inbox has it: no payment pays two orders. */
export function describePayments({ makeHarness, runner }: Suite<InboxHarness>): void {
  const it = (name: string, test: (claim: Claim, inbox: Inbox) => Promise<void>): unknown =>
    runner.it(name, () =>
      withHarness(makeHarness, async ({ inbox }) => {
        // Without it the receiver refuses `verifyOnChain` at start.
        if (inbox.claimPayment !== undefined) await test(inbox.claimPayment.bind(inbox), inbox)
      }),
    )
  runner.describe('claimPayment', () => {
    it('gives a payment to the order that claims it first, for ever', async (claim) => {
      assert.equal(await claim({ payment: 'a', reference: 'order-1 💎' }), 'order-1 💎')
      assert.equal(await claim({ payment: 'a', reference: 'order-2' }), 'order-1 💎')
      assert.equal(await claim({ payment: 'a', reference: 'order-1 💎' }), 'order-1 💎')
      assert.equal(await claim({ payment: 'b', reference: 'order-2' }), 'order-2')
    })
    it(`gives it to one of ${CALLS} orders that claim it at once`, async (claim) => {
      const references = Array.from({ length: CALLS }, (_, index) => `order-${index}`)
      const holders = await Promise.all(
        references.map((reference) => claim({ payment: 'a', reference })),
      )
      const [holder = ''] = holders
      assert.ok(references.includes(holder))
      assert.deepEqual(new Set(holders), new Set([holder]))
    })
    it('keeps it when the delivery is forgotten', async (claim, inbox) => {
      const { id } = await storeNew(inbox)
      await inbox.decide(id, { decision: makePaid(), tasks: [] })
      await claim({ payment: 'a', reference: 'order-1' })
      await inbox.forgetDecided({
        receiver: RECEIVER,
        receivedBeforeMs: NOW_MS + 1,
        limit: 10,
      })
      assert.equal(await inbox.find(id), null)
      assert.equal(await claim({ payment: 'a', reference: 'order-2' }), 'order-1')
    })
  })
}

type Claim = NonNullable<Inbox['claimPayment']>
