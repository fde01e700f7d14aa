import { comment } from '@ton/core'
import { describe, expect, it } from 'vitest'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'
import { refundOwner } from '../engine/proposed-refunds.js'
import type { NewCredit } from '../inbox/inbox-credits.js'
import type { NewReport } from '../inbox/inbox-reports.js'
import type { Inbox } from '../inbox/inbox.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import { checkedInbox } from '../inbox/checked-inbox.js'
import { refundMessage } from '../ledger/refund-message.js'
import type { Decision } from '../orders/decision.js'
import { createLateRefunds, releaseRefunds } from './release-refunds.js'

const WALLET = `0:${'1'.repeat(64)}`
const OWNER = { name: 'default', merchant: '' }
const hex = (number: number): string => number.toString(16).padStart(64, '0')
/** Seconds. Claims are dated by the real clock. */
const NOW = Math.floor(Date.now() / 1000)
const END = NOW + 600
const DAY = 86_400

const creditOf = (number: number, traceId = hex(number)): NewCredit => ({
  id: hex(number),
  account: WALLET,
  wallet: WALLET,
  txHash: hex(number),
  asset: 'TON',
  rawAmount: 5n,
  traceId,
  utime: 1,
  route: [
    {
      hash: traceId,
      sender: WALLET,
      recipient: WALLET,
      value: 5n,
      bodyHash: hex(9),
      isCommentEncrypted: false,
      transaction: traceId,
      fees: 0n,
      isShared: false,
    },
  ],
})

const OF_CREDIT_1 = { reference: 'order-1', txHash: hex(1) }
const MISMATCH = {
  kind: 'amount_mismatch',
  ...OF_CREDIT_1,
  expected: '10',
  received: '5',
} as const
const OTHER_ASSET = {
  kind: 'asset_mismatch',
  ...OF_CREDIT_1,
  expected: WALLET,
  received: 'TON',
} as const
const unverified = (reason: 'reused' | 'not_found') =>
  ({ kind: 'unverified', ...OF_CREDIT_1, reason, detail: '' }) as const

/** A decided report about the first credit. */
const reportOf = (decision: Decision): NewReport => ({
  ...OWNER,
  ...OF_CREDIT_1,
  source: 'chain',
  signedWith: '',
  rawBody: '{}',
  payments: [],
  key: 'chain 1',
  wasCompletedBefore: false,
  retryInMs: 1,
  decision,
})

/** Opens an inbox with proposed refunds of these credits, and the release of unsent ones by a watcher that has just started. */
async function openRefunds(payments: readonly (readonly NewCredit[])[]) {
  const inbox = memoryInbox()
  const warnings: string[] = []
  const logger = { warn: (text: string) => void warnings.push(text) }
  for (const credits of payments) {
    await inbox.credits.store(credits)
    const [{ id, txHash } = creditOf(0)] = credits
    const owner = refundOwner(OWNER, { credit: id, attempt: 1 })
    const claims = credits.map((credit) => `credit:${credit.id}`)
    await inbox.credits.claim({ kind: 'refund', ...owner, payments: claims })
    await inbox.reports.store({
      ...OWNER,
      source: 'operator',
      signedWith: '',
      reference: '',
      txHash,
      rawBody: '{}',
      payments: [],
      key: `refund ${txHash}`,
      wasCompletedBefore: false,
      retryInMs: 1,
      decision: {
        kind: 'refund',
        reference: '',
        txHash,
        attempt: 1,
        id: txHash,
        validUntil: END,
        to: WALLET,
        rawAmount: String(credits.reduce((sum, { rawAmount }) => sum + rawAmount, 0n)),
        asset: 'TON',
      },
    })
  }
  let wakes = 0
  const start = (v3: object, isAddingUp = false, given: Inbox = inbox) => {
    const memory = {
      endedRefunds: new Set(),
      releasedRefunds: new Set(),
      lookedRefunds: new Set(),
      olderRefunds: undefined,
    }
    const internals = { inbox: given, isAddingUp, wakeReports: () => void wakes++ }
    const run = { v3, request: {}, memory, logger, payments: { name: 'default', internals } }
    return (head: number) => releaseRefunds({ ...run, head } as never)
  }
  const uses = async () => {
    const credits = await inbox.credits.list({ fromUtime: 0, limit: 1000 })
    return credits.flatMap((credit) => credit.uses.map(({ kind }) => kind))
  }
  const claimLate = (v3: object, given: Inbox = inbox) =>
    createLateRefunds({ v3, logger, inbox: checkedInbox(given) } as never)
  return { inbox, start, uses, claimLate, warnings, wakes: () => wakes }
}

/** An index that has the sent refunds of these payments, whose amounts are the numbers. */
async function sentRefundsOf(payments: Record<string, bigint>) {
  const bodies = new Set<unknown>()
  for (const [txHash, rawAmount] of Object.entries(payments)) {
    const money = { txHash, wallet: WALLET, payer: WALLET, asset: 'TON', jettonWallet: undefined }
    bodies.add((await refundMessage({ ...money, rawAmount }, { isTestOnly: false })).bodyHash)
  }
  const found = { hash: hex(1), source: WALLET }
  return {
    ...quietWallet([END + DAY, NOW - DAY]),
    messages: async ({ body_hash }: { body_hash: string }) => ({
      messages: bodies.has(body_hash) ? [found] : [],
    }),
  }
}

/** An index of a wallet that sends nothing. @param times of its transactions, the newest first */
const quietWallet = (times: readonly number[], sent: readonly object[] = []) => ({
  messages: async () => ({ messages: [] }),
  transactions: {
    paginate: () => ({
      pages: async function* () {
        yield times.map((now, place): Partial<Transaction> => {
          const at = 1000 - place
          return {
            hash: hex(at),
            prev_trans_hash: hex(at - 1),
            prev_trans_lt: 1n,
            now,
            out_msgs: place === 0 ? (sent as Transaction['out_msgs']) : [],
          }
        })
      },
    }),
  },
})

describe('the release of unsent refunds', () => {
  it('S137 frees every credit of a payment that arrived as several', async () => {
    const { start, uses } = await openRefunds([[creditOf(1, hex(7)), creditOf(2, hex(7))]])
    expect(await uses()).toEqual(['refund', 'refund'])
    const look = start(quietWallet([END + DAY, NOW - DAY]))
    await look(END + DAY)
    expect(await uses()).toEqual([])
  })

  it('S137 frees the other credits when it ended after the first one', async () => {
    const { inbox, start, uses } = await openRefunds([[creditOf(1, hex(7)), creditOf(2, hex(7))]])
    const owner = refundOwner(OWNER, { credit: hex(1), attempt: 1 })
    await inbox.credits.release({ ...owner, credit: hex(1) })
    const look = start(quietWallet([END + DAY, NOW - DAY]))
    await look(END + DAY)
    expect(await uses()).toEqual([])
  })

  it.each([
    ['decides a payment that counted as used again, once', unverified('reused'), false, true],
    ['leaves a payment without a proof', unverified('not_found'), false, false],
    ['leaves a mismatch where nothing adds up', MISMATCH, false, false],
    ['decides a mismatch again where parts add up, once', MISMATCH, true, true],
    ['leaves another asset where parts add up', OTHER_ASSET, true, false],
  ] as const)(
    'S137 settles reports about its money: %s',
    async (_, decision, isAddingUp, isDecidedAgain) => {
      const { inbox, start, wakes } = await openRefunds([[creditOf(1)]])
      const report = await inbox.reports.store(reportOf(decision))
      const parked = () =>
        inbox.reports
          .list({ name: 'default', state: 'parked', limit: 10 })
          .then((reports) => reports.map(({ id }) => id))
      const look = start(quietWallet([END + DAY, NOW - DAY]), isAddingUp)
      await look(END + DAY)
      expect(await parked()).toEqual(isDecidedAgain ? [report.id] : [])
      expect(wakes()).toBe(isDecidedAgain ? 1 : 0)
      // It is decided once: a wallet may send the released refund for 30 days.
      await inbox.reports.decide(report.id, { decision, tasks: [] })
      await look(END + 2 * DAY)
      expect(await parked()).toEqual([])
    },
  )

  it('S137 decides a webhook again that names another transaction of its money', async () => {
    const { inbox, start } = await openRefunds([[creditOf(1, hex(7))]])
    const named = { source: 'webhook', txHash: hex(7) } as const
    const report = await inbox.reports.store({ ...reportOf(unverified('reused')), ...named })
    const look = start(quietWallet([END + DAY, NOW - DAY]))
    await look(END + DAY)
    expect(await inbox.reports.find(report.id)).toMatchObject({ state: 'parked' })
  })

  it('S137 frees other payments when the credit of one is not stored', async () => {
    const { inbox, start, uses } = await openRefunds([[creditOf(1)], [creditOf(2)]])
    const find: typeof inbox.credits.find = async (query) =>
      (await inbox.credits.find(query)).filter(({ id }) => id !== hex(1))
    const credits = { ...inbox.credits, find }
    const look = start(quietWallet([END + DAY, NOW - DAY]), false, { ...inbox, credits })
    await look(END + DAY)
    expect(await uses()).toEqual(['refund'])
  })

  it('S137 reads the pages of older refunds in turn', async () => {
    const payments = Array.from({ length: 250 }, (_, number) => [creditOf(number + 1)])
    const { inbox, start } = await openRefunds(payments)
    const pages: [before: string | undefined, length: number][] = []
    const list: typeof inbox.reports.list = async (query) => {
      const found = await inbox.reports.list(query)
      pages.push([query.before, found.length])
      return found
    }
    const reports = { ...inbox.reports, list }
    const look = start(quietWallet([]), false, { ...inbox, reports })
    const all = await inbox.reports.list({ name: 'default', decision: 'refund', limit: 250 })
    for (let run = 0; run < 3; run++) await look(NOW)
    const newest = [undefined, 100]
    const [second, third] = [99, 199].map((place) => all[place]?.id)
    expect(pages).toEqual([newest, [second, 100], newest, [third, 50], newest, [second, 100]])
  })

  it.each([
    { afterEnd: 30 * DAY, isOver: false },
    { afterEnd: 30 * DAY + 1, isOver: true },
  ])(
    'S137 has looked for the last time $afterEnd s after the end of a refund: $isOver',
    async ({ afterEnd, isOver }) => {
      const { start } = await openRefunds([[creditOf(1)]])
      const index = quietWallet([END + DAY, NOW - DAY])
      let requests = 0
      const messages = async () => {
        requests++
        return index.messages()
      }
      const look = start({ ...index, messages })
      await look(END + afterEnd)
      expect(requests).toBe(1)
      await look(END + afterEnd)
      expect(requests).toBe(isOver ? 1 : 2)
    },
  )

  it('S137 keeps a refund that its wallet has sent, and releases the others', async () => {
    const { start, uses } = await openRefunds([[creditOf(1)], [creditOf(2)]])
    const body = comment(`refund ${hex(1)}`)
      .toBoc()
      .toString('base64')
    const sent = [{ message_content: { body } }]
    await start(quietWallet([END + DAY, NOW - DAY], sent))(END + DAY)
    expect(await uses()).toEqual(['refund'])
  })

  it('S137 waits for an hour of blocks, since a server of the index may be behind', async () => {
    const { start, uses } = await openRefunds([[creditOf(1)]])
    // The server of the transactions has none of the end.
    const look = start(quietWallet([END - 500, NOW - DAY]))
    await look(END + 301)
    expect(await uses()).toEqual(['refund'])
    await look(END + DAY)
    expect(await uses()).toEqual([])
  })

  it('S137 frees every payment of 150 over time, however many newer ones wait', async () => {
    const newest = Array.from({ length: 100 }, (_, number) => [creditOf(number + 51)])
    const oldest = Array.from({ length: 50 }, (_, number) => [creditOf(number + 1)])
    const { start, uses } = await openRefunds([...oldest, ...newest])
    let requests = 0
    const { messages, transactions } = quietWallet([END + DAY, NOW - DAY])
    const count = async () => {
      requests++
      return messages()
    }
    const look = start({ messages: count, transactions })
    for (let run = 0; run < 40 && (await uses()).length > 0; run++) {
      requests = 0
      await look(END + DAY)
      expect(requests).toBeLessThanOrEqual(5)
    }
    expect(await uses()).toEqual([])
  })

  it.each([true, false])(
    'S137 reads few pages of a busy wallet after a restart (the index finds the refunds: %s)',
    async (isFound) => {
      const payments = Array.from({ length: 30 }, (_, number) => [creditOf(number + 1)])
      const { start, uses } = await openRefunds(payments)
      let requests = 0
      const found = { hash: hex(1), source: WALLET }
      const look = start({
        messages: async () => ({ messages: isFound ? [found] : [] }),
        transactions: {
          paginate: () => ({
            pages: async function* () {
              for (let at = 100_000; ; at--) {
                requests++
                yield [
                  {
                    hash: hex(at),
                    prev_trans_hash: hex(at - 1),
                    prev_trans_lt: 1n,
                    now: END + DAY,
                    out_msgs: [],
                  },
                ]
              }
            },
          }),
        },
      })
      const pages = new Set<number>()
      for (let run = 0; run < 10; run++) {
        const before = requests
        await look(END + DAY)
        pages.add(requests - before)
      }
      expect([...pages]).toEqual([isFound ? 0 : 20])
      expect(await uses()).toHaveLength(30)
    },
  )
})

describe('a refund that is sent after its release', () => {
  const late = 'a refund was sent after the end of its request; its payment no longer counts'
  const release = async ({ start }: Awaited<ReturnType<typeof openRefunds>>) =>
    start(quietWallet([END + DAY, NOW - DAY]))(END + DAY)
  const usedIds = async ({ inbox }: Awaited<ReturnType<typeof openRefunds>>) =>
    (await inbox.credits.list({ fromUtime: 0, limit: 1000 }))
      .filter(({ uses }) => uses.length > 0)
      .map(({ id }) => id)
      .toSorted()

  it('S137 has every credit of its payment again', async () => {
    const refunds = await openRefunds([[creditOf(1, hex(7)), creditOf(2, hex(7))]])
    await release(refunds)
    expect(await refunds.uses()).toEqual([])
    await refunds.start(await sentRefundsOf({ [hex(1)]: 10n }))(END + DAY)
    expect(await refunds.uses()).toEqual(['refund', 'refund'])
    expect(refunds.warnings).toEqual([late])
  })

  it('S137 has the credits of its payment again, and none of another trace', async () => {
    const payment = [creditOf(1, hex(7)), creditOf(2, hex(7))]
    const refunds = await openRefunds([payment, [creditOf(3, hex(8))]])
    await release(refunds)
    await refunds.start(await sentRefundsOf({ [hex(1)]: 10n }))(END + DAY)
    expect(await usedIds(refunds)).toEqual([hex(1), hex(2)])
  })

  it('S137 is looked for again while the index does not name its transaction', async () => {
    const refunds = await openRefunds([[creditOf(1)]])
    let requests = 0
    const index = await sentRefundsOf({ [hex(1)]: 5n })
    const messages: typeof index.messages = (filter) => {
      requests++
      return index.messages(filter)
    }
    const look = refunds.start({ ...index, messages })
    for (let run = 0; run < 2; run++) await look(END + DAY)
    expect(requests).toBe(2)
  })

  it('S137 has its own credit again, and no other one of the trace', async () => {
    const refunds = await openRefunds([[creditOf(1, hex(7))], [creditOf(2, hex(7))]])
    await release(refunds)
    await refunds.start(await sentRefundsOf({ [hex(2)]: 5n }))(END + DAY)
    expect(await usedIds(refunds)).toEqual([hex(2)])
  })

  it('S137 has its money again before an order is completed with it', async () => {
    const refunds = await openRefunds([[creditOf(1)], [creditOf(2)]])
    await release(refunds)
    const claimLate = refunds.claimLate(await sentRefundsOf({ [hex(1)]: 5n }))
    await claimLate(await refunds.inbox.credits.find({ ids: [hex(2)] }))
    expect(await usedIds(refunds)).toEqual([])
    await claimLate(await refunds.inbox.credits.find({ ids: [hex(1)] }))
    expect(await usedIds(refunds)).toEqual([hex(1)])
    const [credit] = await refunds.inbox.credits.find({ ids: [hex(1)] })
    const { reference } = refundOwner(OWNER, { credit: hex(1), attempt: 2 })
    expect(credit?.uses).toMatchObject([{ kind: 'refund', reference }])
  })

  it('S137 has its money again when an order asks for another credit of its trace', async () => {
    const refunds = await openRefunds([[creditOf(1, hex(1)), creditOf(2, hex(1))]])
    await release(refunds)
    const claimLate = refunds.claimLate(await sentRefundsOf({ [hex(1)]: 10n }))
    await claimLate(await refunds.inbox.credits.find({ ids: [hex(2)] }))
    expect(await usedIds(refunds)).toEqual([hex(1), hex(2)])
  })

  it('S137 is not told when an order claims the money at the same time', async () => {
    const refunds = await openRefunds([[creditOf(1)]])
    await release(refunds)
    const credits = { ...refunds.inbox.credits, claim: async () => false }
    const index = await sentRefundsOf({ [hex(1)]: 5n })
    const claimLate = refunds.claimLate(index, { ...refunds.inbox, credits })
    await claimLate(await refunds.inbox.credits.find({ ids: [hex(1)] }))
    expect(refunds.warnings).toEqual([])
  })

  it('S137 leaves money that an order has used since to the order', async () => {
    const refunds = await openRefunds([[creditOf(1)]])
    await release(refunds)
    const [credit] = await refunds.inbox.credits.find({ ids: [hex(1)] })
    const order = { ...OWNER, reference: 'order-1', payments: [`credit:${hex(1)}`] }
    expect(await refunds.inbox.credits.claim(order)).toBe(true)
    const index = await sentRefundsOf({ [hex(1)]: 5n })
    await refunds.start(index)(END + DAY)
    await refunds.claimLate(index)([credit as never])
    expect(await refunds.uses()).toEqual(['order'])
    expect(refunds.warnings).toEqual([])
  })
})
