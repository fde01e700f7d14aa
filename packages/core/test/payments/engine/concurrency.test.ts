import { memoryOrderRepository, type Inbox, type Transition } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { openShop, order } from '../shop.js'

/** Counts the kinds of many decisions. */
function tally(kinds: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

/** Returns a promise and the function that resolves it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

describe('concurrent deliveries', () => {
  it('S38 makes one transition and runs one handler for fifty identical ones', async () => {
    const transitions: Transition[] = []
    const orders = memoryOrderRepository([order()])
    const counted = {
      ...orders,
      complete: async (...call: Parameters<typeof orders.complete>): Promise<Transition> => {
        const transition = await orders.complete(...call)
        transitions.push(transition)
        return transition
      },
    }
    const shop = openShop([], { orders: counted })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => shop.send(transferCompleted())),
    )
    await shop.settle()
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
    expect(tally(answers.map(({ decision }) => decision.kind))).toEqual({ paid: 1, duplicate: 49 })
    expect(tally(transitions)['applied']).toBe(1)
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S40 completes the order by one of two payments and reports the other as extra', async () => {
    const raised: string[] = []
    const shop = openShop([order()], {
      onExtraPayment: ({ transfer }) => raised.push(transfer.txHash),
    })
    const kinds = await Promise.all(
      ['tx-1', 'tx-2'].map((txHash) => shop.decide(transferCompleted({ txHash }))),
    )
    await shop.settle()
    expect(tally(kinds)).toEqual({ paid: 1, extra_payment: 1 })
    expect(shop.shipped).toEqual(['order-1'])
    const [completed] = shop.orders.all()
    expect(new Set([completed?.payment?.txHash, ...raised])).toEqual(new Set(['tx-1', 'tx-2']))
  })

  it('S40 ships once when the repository calls every completed order already-applied', async () => {
    const orders = memoryOrderRepository([order()])
    const careless = {
      ...orders,
      complete: async (...call: Parameters<typeof orders.complete>): Promise<Transition> => {
        const transition = await orders.complete(...call)
        return transition === 'conflict' ? 'already-applied' : transition
      },
    }
    const shop = openShop([], { orders: careless })
    const kinds = await Promise.all(
      ['tx-1', 'tx-2'].map((txHash) => shop.decide(transferCompleted({ txHash }))),
    )
    await shop.settle()
    expect(tally(kinds)).toEqual({ paid: 1, extra_payment: 1 })
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('responds with 503 when the repository calls an open order already-applied', async () => {
    const careless = {
      ...memoryOrderRepository([order()]),
      complete: (): Promise<Transition> => Promise.resolve('already-applied'),
    }
    const shop = openShop([], { orders: careless })
    expect((await shop.send(transferCompleted())).status).toBe(503)
    await shop.settle()
    expect(shop.shipped).toEqual([])
  })

  it('S40 reports a second payment an hour later, of any amount', async () => {
    const shop = openShop()
    await shop.send(transferCompleted({ txHash: 'tx-1' }))
    await shop.clock.advance(3_600_000)
    const answer = await shop.send(
      transferCompleted({ txHash: 'tx-2', rawAmount: '1', amount: '1' }),
    )
    expect(answer.decision).toMatchObject({
      kind: 'extra_payment',
      completedBy: 'tx-1',
      received: '1',
    })
  })

  it('recognizes a payment by its hash in hex and in base64', async () => {
    const shop = openShop()
    const hash = Buffer.alloc(32, 0xfb)
    const inHex = transferCompleted({ txHash: hash.toString('hex').toUpperCase() })
    expect(await shop.decide(inHex)).toBe('paid')
    const inBase64 = transferCompleted({ txHash: hash.toString('base64') })
    expect(await shop.decide(inBase64)).toBe('duplicate')
    expect(shop.orders.all()).toMatchObject([{ payment: { txHash: hash.toString('hex') } }])
  })

  it('S38 runs the handlers when the second of two attempts decides first', async () => {
    const first = gate()
    const second = gate()
    const overtaken = gate()
    let stores = 0
    let decisions = 0
    const shop = openShop([order()], {
      inbox: (inbox) => ({
        ...inbox,
        reports: {
          ...inbox.reports,
          store: async (report) => {
            const stored = await inbox.reports.store(report)
            if (++stores === 1) await first.opened
            return stored
          },
          decide: async (...call) => {
            if (++decisions === 1) {
              overtaken.open()
              await second.opened
            }
            return inbox.reports.decide(...call)
          },
        },
      }),
    })
    const answers = [shop.decide(transferCompleted()), shop.decide(transferCompleted())]
    await overtaken.opened
    first.open()
    expect(await answers[0]).toBe('paid')
    second.open()
    expect(await answers[1]).toBe('duplicate')
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S41 makes one transition and runs one handler for two concurrent reports of one payment', async () => {
    const orders = memoryOrderRepository([order()])
    const transitions: Transition[] = []
    const shop = openShop([], {
      orders: {
        ...orders,
        complete: async (...call) => {
          const transition = await orders.complete(...call)
          transitions.push(transition)
          return transition
        },
      },
    })
    // Another value of a signed field makes another report in the inbox.
    const reports = ['', 'other'].map((senderAddr) => transferCompleted({ senderAddr }))
    const answers = await Promise.all(reports.map((payload) => shop.send(payload)))
    await shop.settle()
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(tally(transitions)).toEqual({ applied: 1, 'already-applied': 1 })
    expect(shop.shipped).toEqual(['order-1'])
  })

  it('S44 acknowledges a duplicate only after the first is durable', async () => {
    const stored = gate()
    const slow = (inbox: Inbox): Inbox => ({
      ...inbox,
      reports: {
        ...inbox.reports,
        decide: async (...call) => {
          await stored.opened
          return inbox.reports.decide(...call)
        },
      },
    })
    const shop = openShop([order()], { inbox: slow })
    let answered = 0
    const answers = [1, 2].map(async () => {
      const answer = await shop.send(transferCompleted())
      answered++
      return answer
    })
    await shop.clock.advance(7000)
    expect(answered).toBe(0)
    stored.open()
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200])
  })

  it('S44 responds with 503 to both when the first is not durable by the deadline', async () => {
    const hanging = (inbox: Inbox): Inbox => ({
      ...inbox,
      reports: { ...inbox.reports, store: () => new Promise<never>(() => undefined) },
    })
    const shop = openShop([order()], { inbox: hanging })
    const answers = [shop.send(transferCompleted()), shop.send(transferCompleted())]
    await shop.clock.advance(8000)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([503, 503])
  })
})
