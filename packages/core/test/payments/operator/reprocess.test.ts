import { memoryInbox, memoryOrderRepository, type DecisionEvent } from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createFakeClock, transferCompleted, transferFailed } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { scriptedProof } from '../proof/scripted-proof.js'
import { openShop, order, type Shop, type ShopOptions } from '../shop.js'

const { recipientAddr: WALLET, senderAddr: OTHER_WALLET } = transferCompleted().data

/** Opens Payments with a policy, and again with another one after a deploy. */
function openDeploys() {
  const clock = createFakeClock()
  const inbox = { ...memoryInbox({ clock }), isDurable: true }
  const orders = memoryOrderRepository([order()])
  const shared = { clock, inbox, orders }
  let last: Shop | undefined
  return async (options: ShopOptions): Promise<Shop> => {
    await last?.close()
    await clock.advance(40_000)
    last = openShop([], { ...shared, ...options })
    return last
  }
}

function decisionsOf({ payments }: Shop): DecisionEvent[] {
  const events: DecisionEvent[] = []
  payments.onDecision((event) => events.push(event))
  return events
}

describe('redecide', () => {
  it('S71 pays an order from the stored report after a wallet was corrected, and runs handlers once', async () => {
    const deploy = openDeploys()
    const mismatches: string[] = []
    const onMismatch: ShopOptions['onMismatch'] = ({ reason }) => mismatches.push(reason)
    const former = await deploy({ wallets: [OTHER_WALLET], onMismatch })
    const events = decisionsOf(former)
    expect(await former.decide(transferCompleted())).toBe('wallet_mismatch')
    await former.settle()
    expect(mismatches).toEqual(['wallet'])

    const fixed = await deploy({ wallets: [WALLET], onMismatch })
    expect(await fixed.decide(transferCompleted())).toBe('duplicate')
    const [reportId = ''] = events.map((event) => event.reportId)
    expect(
      await createOperator({ payments: fixed.payments }).reprocess({ reportId }, { by: 'ann' }),
    ).toBe(1)
    await fixed.clock.advance(5000)
    expect(fixed.shipped).toEqual(['order-1'])
    expect(
      await createOperator({ payments: fixed.payments }).reprocess({ reportId }, { by: 'ann' }),
    ).toBe(0)
    await fixed.clock.advance(5000)
    expect(fixed.shipped).toEqual(['order-1'])
    expect(mismatches).toEqual(['wallet'])
    expect(await fixed.decide(transferCompleted())).toBe('duplicate')
  })

  it('S71 counts no dead proof once a later one has paid the order', async () => {
    let isUp = false
    const payment = {
      message: 'aa',
      credits: ['bb'],
      amount: 1n,
      utime: 1,
      transactions: [],
    } as const
    const shop = openShop([order()], {
      wallets: [WALLET],
      verifyOnChain: {
        deadlineMs: 60_000,
        verify: async () =>
          isUp
            ? { kind: 'verified', payments: [payment] }
            : { kind: 'pending', reason: 'unreachable', detail: 'down' },
      },
    })
    expect(await shop.decide(transferCompleted())).toBe('verifying')
    await shop.clock.advance(400_000)
    expect(await shop.payments.health()).toMatchObject({ dead: 1 })
    isUp = true
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { decision: 'unverified' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.clock.advance(10_000)
    expect(shop.shipped).toEqual(['order-1'])
    expect(await shop.payments.health()).toMatchObject({ dead: 0 })
    expect(await createOperator({ payments: shop.payments }).list({ handlers: 'dead' })).toEqual([])
  })

  it('S71 runs no handler of a failure that a payment has followed', async () => {
    let runs = 0
    const shop = openShop([order()], {
      onFailed: () => {
        runs++
        throw new Error('no mail today')
      },
    })
    expect(await shop.decide(transferFailed())).toBe('failed')
    await shop.settle()
    expect(runs).toBe(1)
    expect(await shop.decide(transferCompleted())).toBe('paid')
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { reportId: 'report-1' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.settle()
    expect((await shop.inbox.reports.find('report-1'))?.decision?.kind).toBe('duplicate')
    await shop.clock.advance(60_000)
    expect(runs).toBe(1)
    expect(await shop.inbox.stats()).toMatchObject({ open: 0, dead: 0 })
  })

  it('S71 pays an order after its price was corrected', async () => {
    const shop = openShop([order({ rawAmount: 1n })])
    expect(await shop.decide(transferCompleted())).toBe('amount_mismatch')
    shop.orders.replace(order())
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { reference: 'order-1' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }])
  })

  it('S71 runs the handlers of an unchanged decision once', async () => {
    const mismatches: string[] = []
    const shop = openShop([order({ rawAmount: 1n })], {
      onMismatch: ({ reason }) => mismatches.push(reason),
    })
    await shop.decide(transferCompleted())
    for (let time = 0; time < 3; time++) {
      await shop.settle()
      expect(
        await createOperator({ payments: shop.payments }).reprocess(
          { state: 'decided' },
          { by: 'ann' },
        ),
      ).toBe(1)
    }
    await shop.settle()
    expect(mismatches).toEqual(['overpaid'])
    expect(await shop.inbox.stats()).toMatchObject({ parked: 0, undecided: 0, open: 0, dead: 0 })
  })

  it('S71 makes a report due when the tool that calls it is not started', async () => {
    const shop = openShop([order({ rawAmount: 1n })])
    await shop.send(transferCompleted())
    shop.orders.replace(order())
    const { clock, inbox, orders } = shop
    const tool = openShop([], { clock, inbox, orders, autoStart: false, onPaid: undefined })
    expect(
      await createOperator({ payments: tool.payments }).reprocess(
        { decision: 'amount_mismatch' },
        { by: 'ann' },
      ),
    ).toBe(1)
    expect(shop.shipped).toEqual([])
    await clock.advance(5000)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S71 selects reports by reference, decision, state and time', async () => {
    const references = ['order-1', 'order-2', 'order-3']
    const shop = openShop(references.map((reference) => order({ reference, rawAmount: 1n })))
    await shop.send(transferCompleted({ reference: 'order-1', txHash: 'tx-1' }))
    await shop.clock.advance(1000)
    const receivedAfterMs = shop.clock.nowMs()
    await shop.send(transferCompleted({ reference: 'order-2', txHash: 'tx-2' }))
    await shop.send(transferFailed({ reference: 'order-3', txHash: 'tx-3' }))
    await shop.send(transferCompleted({ reference: 'order-4', txHash: 'tx-4' }))
    const { payments } = shop
    expect(await createOperator({ payments }).reprocess({ decision: 'paid' }, { by: 'ann' })).toBe(
      0,
    )
    expect(
      await createOperator({ payments }).reprocess({ reference: 'order-9' }, { by: 'ann' }),
    ).toBe(0)
    expect(await createOperator({ payments }).reprocess({ merchant: 'a' }, { by: 'ann' })).toBe(0)
    expect(
      await createOperator({ payments }).reprocess({ reportId: 'report-9' }, { by: 'ann' }),
    ).toBe(0)
    expect(
      await createOperator({ payments }).reprocess({ reference: 'order-2' }, { by: 'ann' }),
    ).toBe(1)
    await shop.settle()
    expect(
      await createOperator({ payments }).reprocess({ decision: 'amount_mismatch' }, { by: 'ann' }),
    ).toBe(2)
    await shop.settle()
    expect(
      await createOperator({ payments }).reprocess({ decision: 'failed' }, { by: 'ann' }),
    ).toBe(1)
    await shop.settle()
    expect(await createOperator({ payments }).reprocess({ state: 'parked' }, { by: 'ann' })).toBe(1)
    await shop.settle()
    expect(await createOperator({ payments }).reprocess({ receivedAfterMs }, { by: 'ann' })).toBe(3)
    await shop.settle()
    expect(
      await createOperator({ payments }).reprocess(
        { state: 'decided', receivedAfterMs },
        { by: 'ann' },
      ),
    ).toBe(2)
  })

  it('S71 selects nothing of another Payments', async () => {
    const shop = openShop([order({ rawAmount: 1n })])
    await shop.send(transferCompleted())
    const { clock, inbox } = shop
    const other = openShop([], { clock, inbox, name: 'other' })
    expect(
      await createOperator({ payments: other.payments }).reprocess(
        { reportId: 'report-1' },
        { by: 'ann' },
      ),
    ).toBe(0)
    expect(
      await createOperator({ payments: other.payments }).reprocess(
        { reference: 'order-1' },
        { by: 'ann' },
      ),
    ).toBe(0)
  })

  it('S71 completes an order that was paid in the meantime no second time', async () => {
    const extra: string[] = []
    const shop = openShop([order({ rawAmount: 1n })], {
      onExtraPayment: ({ transfer }) => extra.push(transfer.txHash),
    })
    await shop.decide(transferCompleted({ txHash: 'tx-1' }))
    shop.orders.replace(order())
    expect(await shop.decide(transferCompleted({ txHash: 'tx-2' }))).toBe('paid')
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { decision: 'amount_mismatch' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(shop.orders.all()).toMatchObject([{ payment: { txHash: 'tx-2' } }])
    expect(extra).toEqual(['tx-1'])
  })

  it('S71 proves an unverified payment again', async () => {
    const proof = scriptedProof({ kind: 'contradicted', reason: 'other_amount', detail: 'less' })
    const unverified: string[] = []
    const shop = openShop([order()], {
      wallets: [WALLET],
      verifyOnChain: proof,
      onUnverified: ({ decision }) => unverified.push(decision.reason),
    })
    expect(await shop.decide(transferCompleted())).toBe('verifying')
    await shop.clock.advance(1000)
    expect(unverified).toEqual(['other_amount'])
    proof.verdict = undefined
    expect(
      await createOperator({ payments: shop.payments }).reprocess(
        { decision: 'unverified' },
        { by: 'ann' },
      ),
    ).toBe(1)
    await shop.clock.advance(1000)
    expect(shop.shipped).toEqual(['order-1'])
    expect(unverified).toEqual(['other_amount'])
  })
})
