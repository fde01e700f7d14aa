import { describe, expect, it } from 'vitest'
import type { TransferStatus } from '../../toncenter/gateway/transfer-status.js'
import { orderId } from '../orders/order.js'
import { lookUpNext } from './look-up.js'
import type { WatchedOrder } from './open-orders.js'
import type { Run } from './run-state.js'
import type { Progress } from './stored-progress.js'

/** An order of a merchant: reference, merchant, creation time. */
type Row = [reference: string, merchant: string, createdMs: number | undefined]

const WALLET = `0:${'1'.repeat(64)}`

/** Looks up orders at a gateway that has no transfers, or this one. */
function openRun(rows: Row[], { lookups = 2, reply }: { lookups?: number; reply?: unknown } = {}) {
  const asked: string[] = []
  const submitted: unknown[] = []
  const decided = new Set<string>()
  const current: Progress = {}
  const controller = new AbortController()
  const state: { fail?: (reference: string) => void } = {}
  const transfers = {
    async byReference(reference: string) {
      asked.push(reference)
      state.fail?.(reference)
      return reply
    },
  }
  const all = rows.map(([reference, merchant, createdMs]) => ({ reference, merchant, createdMs }))
  const run = {
    orders: { all: all as WatchedOrder[] },
    decided,
    lookups,
    transfersOf: (merchant: string) => (merchant === 'none' ? undefined : transfers),
    progress: {
      current,
      save: async (changes: Progress) => void Object.assign(current, changes),
      retries: { has: () => false },
    },
    memory: { seen: new Set(), looked: new Set() },
    request: { signal: controller.signal },
    tally: { decisions: {} },
    payments: {
      submit: async (report: unknown) => {
        submitted.push(report)
        return { kind: 'paid' }
      },
    },
  } as unknown as Run
  return { run, asked, submitted, decided, current, controller, state }
}

describe('individual look-ups', () => {
  it('take turns by time, reference and merchant, and begin again after the last order', async () => {
    const rows: Row[] = [
      ['c', '', 2],
      ['b', '', 2],
      ['a', 'bob', 3],
      ['a', 'ann', 3],
      ['z', '', 1],
      ['undated', '', undefined],
    ]
    const { run, asked, current } = openRun(rows, { lookups: 4 })
    await lookUpNext(run)
    expect(asked).toEqual(['undated', 'z', 'b', 'c'])
    expect(current.lookedUp).toEqual([2, 'c', ''])
    await lookUpNext(run)
    expect(asked.slice(4)).toEqual(['a', 'a', 'undated', 'z'])
    expect(current.lookedUp).toEqual([1, 'z', ''])
  })

  it('continue behind an order of one merchant with that of the next', async () => {
    const { run, current } = openRun(
      [
        ['a', 'bob', 3],
        ['a', 'ann', 3],
      ],
      { lookups: 1 },
    )
    const places: unknown[] = []
    for (let turn = 0; turn < 3; turn++) {
      await lookUpNext(run)
      places.push(current.lookedUp?.[2])
    }
    expect(places).toEqual(['ann', 'bob', 'ann'])
  })

  it('leave out decided orders, and orders that no source knows', async () => {
    const rows: Row[] = [
      ['a', '', 1],
      ['b', '', 3],
      ['c', 'none', 2],
    ]
    const { run, asked, decided } = openRun(rows, { lookups: 1 })
    decided.add(orderId({ reference: 'a', merchant: '' }))
    await lookUpNext(run)
    expect(asked).toEqual(['b'])
  })

  it('take turns by reference in any order of the list, each order once in a run', async () => {
    for (const references of ['bdac', 'abcd', 'dcba', 'cadb']) {
      const rows = references.split('').map((reference): Row => [reference, '', 1])
      const { run, asked, current } = openRun(rows, { lookups: 9 })
      current.lookedUp = [1, 'b', '']
      await lookUpNext(run)
      expect(asked).toEqual(['c', 'd', 'a', 'b'])
    }
  })

  it('keep their place while no order is open', async () => {
    const { run, current } = openRun([])
    current.lookedUp = [1, 'a', '']
    await lookUpNext(run)
    expect(current.lookedUp).toEqual([1, 'a', ''])
  })

  it('ask for all orders before the first error is thrown, and move on', async () => {
    const { run, asked, current, state } = openRun([
      ['a', '', 1],
      ['b', '', 2],
    ])
    state.fail = (reference) => {
      throw new Error(`no ${reference}`)
    }
    await expect(lookUpNext(run)).rejects.toThrow('no a')
    expect(asked).toEqual(['a', 'b'])
    expect(current.lookedUp).toEqual([2, 'b', ''])
  })

  it('end with the reason of an aborted run', async () => {
    const { run, asked, controller, state } = openRun([
      ['a', '', 1],
      ['b', '', 2],
    ])
    state.fail = () => {
      controller.abort(new Error('closed'))
      throw new Error('no connection')
    }
    await expect(lookUpNext(run)).rejects.toThrow('closed')
    expect(asked).toEqual(['a'])
  })
})

describe('a payment that is found by its body', () => {
  it('is looked up by the transaction that received it, if there is one', async () => {
    const { run, asked, decided } = openRun([
      ['a', '', 1],
      ['b', 'none', 2],
    ])
    const filters: unknown[] = []
    const lookedUp: string[] = []
    const rows = [{ in_msg_tx_hash: 'tx' }, { in_msg_tx_hash: '' }, { in_msg_tx_hash: undefined }]
    const v3 = {
      async messages(filter: object) {
        filters.push(filter)
        return { messages: rows }
      },
      async traces({ tx_hash }: { tx_hash: string[] }) {
        lookedUp.push(...tx_hash)
        decided.add(orderId({ reference: 'a', merchant: '' }))
        return { traces: [] }
      },
    }
    const all = run.orders.all.map((order) => ({ ...order, bodyHash: order.reference }))
    const others = { indexFailures: { succeed: () => undefined }, named: { load: () => undefined } }
    Object.assign(run.progress.retries, { defer: () => undefined })
    await lookUpNext({ ...run, ...others, v3, orders: { all } } as unknown as Run)
    expect(filters).toEqual(
      ['a', 'b'].map((body_hash) => ({ body_hash, direction: 'in', limit: 100 })),
    )
    expect(lookedUp).toEqual(['tx', 'tx'])
    // The chain has decided about it.
    expect(asked).toEqual([])
  })
})

describe('a transfer of the gateway', () => {
  const status: Partial<TransferStatus> = {
    state: 'success',
    reference: 'a',
    rawAmount: 1_500_000_000n,
    asset: 'TON',
    recipientAddr: WALLET,
    txHash: 'a'.repeat(64),
  }
  const submit = async (changes: Partial<TransferStatus>) => {
    const { run, submitted, decided } = openRun([['a', 'ann', 1]], {
      reply: { ...status, ...changes },
    })
    await lookUpNext(run)
    return { submitted, decided }
  }

  it.each(['success', 'failed'] as const)('is reported when its state is %s', async (state) => {
    const { submitted, decided } = await submit({ state })
    expect(submitted).toEqual([expect.objectContaining({ merchant: 'ann', source: 'gateway' })])
    expect([...decided]).toEqual([orderId({ reference: 'a', merchant: 'ann' })])
  })

  it.each([
    { senderAddr: undefined, bodyBase64Hash: undefined, traceId: undefined, date: undefined },
    { senderAddr: WALLET, bodyBase64Hash: 'body', traceId: 'trace', date: '2026-01-05' },
  ])('has the fields that the gateway returns: %j', async (given) => {
    const { submitted } = await submit(given)
    const expected = Object.entries(given).map(([name, value]) => [name, value ?? ''])
    expect(submitted).toMatchObject([{ transfer: Object.fromEntries(expected) }])
  })

  it.each([
    { given: {}, amount: '1.5' },
    { given: { amount: '1.50' }, amount: '1.50' },
    { given: { asset: `0:${'9'.repeat(64)}` }, amount: '1500000000' },
  ])('has the amount $amount with $given', async ({ given, amount }) => {
    const { submitted } = await submit(given)
    expect(submitted).toMatchObject([{ transfer: { amount, rawAmount: '1500000000' } }])
  })

  it.each<Partial<TransferStatus>>([
    { state: 'pending' },
    { reference: 'b' },
    { rawAmount: undefined },
    { asset: undefined },
    { recipientAddr: undefined },
    { txHash: undefined },
  ])('is left out with %j', async (changes) => {
    const { submitted } = await submit(changes)
    expect(submitted).toEqual([])
  })
})
