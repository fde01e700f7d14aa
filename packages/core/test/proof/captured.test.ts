import { describe, expect, it } from 'vitest'
import { canonicalAddress } from '../../src/address/address.js'
import { describeTrace, type Transfer } from '../../src/onchain/describe-trace.js'
import { canonicalTransactionHash } from '../../src/orders/transaction-hash.js'
import {
  judgePayment,
  type ExpectedPayment,
  type ToldTrace,
} from '../../src/proof/judge-payment.js'
import type { Transaction } from '../../src/v3/schemas/transaction.js'
import { callWith } from '../v3/call-with.js'
import { readFixtures, type Fixture } from '../v3/fixtures.js'

const LISTS = ['traces', 'transactions', 'transactionsByMessage']
// Bodies written after the description have hashes of nothing.
const captured = readFixtures().filter(
  ({ file, endpoint }) => LISTS.includes(endpoint) && !file.includes('described'),
)
const OTHER_HASH = 'e'.repeat(64)
const OTHER_ADDRESS = `0:${'e'.repeat(64)}`

describe.each(captured)('$file', (fixture) => {
  it('proves each of its payments that arrived, and no other', async () => {
    const tolds = await readTraces(fixture)
    expect(tolds.length).toBeGreaterThan(0)
    for (const told of tolds) {
      for (const transfer of describeTrace(told.trace, told).transfers) {
        const expected = expectedOf(transfer, told)
        if (expected === undefined) continue
        const verdict = judgePayment(told, expected)
        const isSure = describeTrace(told.trace).isFinal && describeTrace(told.trace).isComplete
        const mayBeProven = transfer.outcome === 'arrived' && isSure
        expect([transfer, verdict.kind === 'proven']).toEqual([transfer, mayBeProven])
        for (const lie of liesAbout(expected)) {
          expect([lie, judgePayment(told, lie).kind]).not.toEqual([lie, 'proven'])
        }
      }
    }
  })
})

it('among them are payments that are proven, in both kinds of assets, and some that are not', async () => {
  const kinds = new Set<string>()
  for (const fixture of captured) {
    for (const told of await readTraces(fixture)) {
      for (const transfer of describeTrace(told.trace, told).transfers) {
        const expected = expectedOf(transfer, told)
        if (expected === undefined) continue
        kinds.add(`${transfer.kind} ${judgePayment(told, expected).kind}`)
      }
    }
  }
  expect([...kinds].toSorted()).toEqual(expect.arrayContaining(['jetton proven', 'native proven']))
})

function liesAbout(expected: ExpectedPayment): ExpectedPayment[] {
  return [
    { ...expected, rawAmount: expected.rawAmount + 1n },
    { ...expected, rawAmount: expected.rawAmount - 1n },
    { ...expected, recipient: OTHER_ADDRESS },
    { ...expected, sender: OTHER_ADDRESS },
    { ...expected, bodyHash: OTHER_HASH },
    { ...expected, txHash: OTHER_HASH },
    { ...expected, traceId: OTHER_HASH },
    { ...expected, asset: expected.asset === 'TON' ? OTHER_ADDRESS : 'TON' },
    { ...expected, asset: OTHER_ADDRESS },
  ]
}

/** What an honest webhook of the transfer would say. */
function expectedOf(transfer: Transfer, { trace }: ToldTrace): ExpectedPayment | undefined {
  if (transfer.kind === 'nft' || transfer.bodyHash === undefined) return undefined
  if (transfer.recipient === undefined) return undefined
  const { amount, recipient, sender, bodyHash, sentIn, receivedIn } = transfer
  const jetton = transfer.kind === 'jetton' ? transfer.jetton : undefined
  if (transfer.kind === 'jetton' && jetton === undefined) return undefined
  return {
    rawAmount: amount,
    asset: jetton === undefined ? 'TON' : canonicalAddress(jetton),
    recipient: canonicalAddress(recipient),
    sender: canonicalAddress(sender),
    bodyHash: canonicalTransactionHash(bodyHash),
    txHash: canonicalTransactionHash(receivedIn ?? sentIn ?? ''),
    ...(trace.trace_id !== undefined && { traceId: canonicalTransactionHash(trace.trace_id) }),
  }
}

/** The traces of an answer; of a list of transactions each by itself. */
async function readTraces({ endpoint, text }: Fixture): Promise<ToldTrace[]> {
  if (endpoint === 'traces') {
    const { traces, metadata } = await callWith('traces', text)
    return traces.map((trace) => ({ trace, metadata }))
  }
  const { transactions } = await callWith('transactions', text)
  return transactions.map((one) => ({ trace: traceOf(one) }))
}

function traceOf(transaction: Transaction): ToldTrace['trace'] {
  const sent = transaction.out_msgs.length
  return {
    trace_id: transaction.hash,
    start_lt: transaction.lt,
    start_utime: transaction.now,
    trace_info: {
      trace_state: 'complete',
      messages: 1 + sent,
      transactions: 1,
      pending_messages: 0,
    },
    transactions_order: [],
    transactions: { [transaction.hash]: transaction },
  }
}
