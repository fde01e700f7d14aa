import { expect, it } from 'vitest'
import { checkedInbox } from '../inbox/checked-inbox.js'
import { memoryInbox } from '../inbox/memory-inbox.js'
import type { NewCredit } from '../inbox/inbox-credits.js'
import { reportsOfCredits } from './paid-elsewhere.js'
import { createTransferReport, toNewReport } from './report.js'

const WALLET = `0:${'1'.repeat(64)}`
const SENDER = `0:${'2'.repeat(64)}`
const TRACE = '9'.repeat(64)
const base64 = (digit: string) => Buffer.from(digit.repeat(64), 'hex').toString('base64')

const CREDIT: NewCredit = {
  id: 'a',
  account: WALLET,
  wallet: WALLET,
  txHash: 'a'.repeat(64),
  asset: 'TON',
  rawAmount: 10n,
  traceId: TRACE,
  utime: 1000,
  route: [
    {
      hash: '8'.repeat(64),
      sender: SENDER,
      recipient: WALLET,
      value: 10n,
      bodyHash: '7'.repeat(64),
      isCommentEncrypted: false,
      transaction: 'a'.repeat(64),
      fees: 0n,
      isShared: false,
    },
  ],
}

/** Stores the webhook that has paid an order, by a transaction that the index does not have. */
async function storePaid(
  inbox: ReturnType<typeof checkedInbox>,
  reference: string,
  bodyBase64Hash: string,
) {
  const txHash = '5'.repeat(64)
  const transfer = {
    reference,
    status: 'success',
    txHash,
    traceId: TRACE,
    rawAmount: '10',
    amount: '10',
    asset: 'TON',
    recipientAddr: WALLET,
    senderAddr: SENDER,
    bodyBase64Hash,
    date: '2026-01-01T00:00:00.000Z',
  }
  const report = createTransferReport(transfer as never, { merchant: 'north', source: 'webhook' })
  const received = { expected: '10', received: '10', amountRule: 'equal' } as const
  const decision = {
    kind: 'paid',
    reference,
    txHash,
    ...received,
    isLate: false,
    source: 'webhook',
  }
  const row = { ...toNewReport('default', report), wasCompletedBefore: false }
  await inbox.reports.store({ ...row, decision: decision as never })
}

it('finds the webhook that has paid an order with a credit among 1,500 of its trace', async () => {
  const inbox = checkedInbox(memoryInbox())
  await inbox.credits.store([CREDIT])
  await storePaid(inbox, 'order-1', base64('7'))
  for (let index = 2; index <= 1500; index++) await storePaid(inbox, `order-${index}`, base64('6'))
  const { paid, open } = await reportsOfCredits(inbox, ['a'])
  expect(paid.map(({ reference }) => reference)).toEqual(['order-1'])
  expect(open).toEqual([])
})
