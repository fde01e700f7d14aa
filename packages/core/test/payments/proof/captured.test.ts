import { describe, expect, it } from 'vitest'
import { canonicalAddress } from '../../../src/shared/address.js'
import { parseTrace, type Transfer } from '../../../src/toncenter/chain/parse-trace.js'
import { canonicalTransactionHash } from '../../../src/payments/orders/transaction-hash.js'
import type { ExpectedPayment } from '../../../src/payments/watcher/proof/expected-payment.js'
import {
  verifyPayment,
  type IndexedTrace,
} from '../../../src/payments/watcher/proof/verify-payment.js'
import type { Transaction } from '../../../src/toncenter/v3/schemas/transaction.js'
import { callWith } from '../../toncenter/v3/call-with.js'
import { readFixtures, type Fixture } from '../../toncenter/v3/fixtures.js'

const LISTS = ['traces', 'transactions', 'transactionsByMessage']
// Bodies written after the description have hashes of nothing.
const captured = readFixtures().filter(
  ({ file, endpoint }) => LISTS.includes(endpoint) && !file.includes('described'),
)
const OTHER_HASH = 'e'.repeat(64)
const OTHER_ADDRESS = `0:${'e'.repeat(64)}`

describe.each(captured)('$file', (fixture) => {
  it('proves each payment that arrived, and no other', async () => {
    const tolds = await readTraces(fixture)
    expect(tolds.length).toBeGreaterThan(0)
    for (const told of tolds) {
      for (const transfer of parseTrace(told.trace, told).transfers) {
        const expected = expectedOf(transfer, told)
        if (expected === undefined) continue
        const verdict = verifyPayment(told, expected)
        const isSure = parseTrace(told.trace).isFinal && parseTrace(told.trace).isComplete
        const mayBeProven = transfer.outcome === 'arrived' && isSure
        expect([transfer, verdict.kind === 'verified']).toEqual([transfer, mayBeProven])
        for (const lie of liesAbout(expected)) {
          expect([lie, verifyPayment(told, lie).kind]).not.toEqual([lie, 'verified'])
        }
      }
    }
  })
})

it('the recordings contain proven payments in both kinds of assets, and others', async () => {
  const kinds = new Set<string>()
  for (const fixture of captured) {
    for (const told of await readTraces(fixture)) {
      for (const transfer of parseTrace(told.trace, told).transfers) {
        const expected = expectedOf(transfer, told)
        if (expected === undefined) continue
        kinds.add(`${transfer.kind} ${verifyPayment(told, expected).kind}`)
      }
    }
  }
  expect([...kinds].toSorted()).toEqual(
    expect.arrayContaining(['jetton verified', 'native verified']),
  )
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
    // The wallet that the master returns identifies the jetton.
    { ...expected, asset: OTHER_ADDRESS, jettonWallet: OTHER_ADDRESS },
    ...(expected.asset === 'TON' ? [] : [{ ...expected, jettonWallet: undefined }]),
  ]
}

/** The facts of an honest webhook for the transfer. */
function expectedOf(transfer: Transfer, { trace }: IndexedTrace): ExpectedPayment | undefined {
  if (transfer.kind === 'nft' || transfer.bodyHash === undefined) return undefined
  if (transfer.recipient === undefined) return undefined
  const { amount, recipient, sender, bodyHash, sentIn, receivedIn } = transfer
  const jetton = transfer.kind === 'jetton' ? transfer.jetton : undefined
  if (transfer.kind === 'jetton' && jetton === undefined) return undefined
  const wallet = transfer.kind === 'jetton' ? transfer.recipientWallet : undefined
  return {
    rawAmount: amount,
    asset: jetton === undefined ? 'TON' : canonicalAddress(jetton),
    recipient: canonicalAddress(recipient),
    sender: canonicalAddress(sender),
    bodyHash: canonicalTransactionHash(bodyHash),
    txHash: canonicalTransactionHash(receivedIn ?? sentIn ?? ''),
    // Replaces the master, which is not at hand.
    ...(wallet !== undefined && { jettonWallet: canonicalAddress(wallet) }),
    ...(trace.trace_id !== undefined && { traceId: canonicalTransactionHash(trace.trace_id) }),
  }
}

/** The traces of an answer; of a list of transactions each by itself. */
async function readTraces({ endpoint, text }: Fixture): Promise<IndexedTrace[]> {
  if (endpoint === 'traces') {
    const { traces, metadata } = await callWith('traces', text)
    return traces.map((trace) => ({ trace, metadata }))
  }
  const { transactions } = await callWith('transactions', text)
  return transactions.map((one) => ({ trace: traceOf(one) }))
}

function traceOf(transaction: Transaction): IndexedTrace['trace'] {
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
