import { canonicalAddress, createV3Client } from '@tonplug/core'
import { expect, it } from 'vitest'
import { jettonDeposits } from '../src/jetton-deposits.js'
import * as chain from './chain.js'
import { startIndexStandIn } from './index-stand-in.js'

const ALICE = chain.addressOf('alice')
const MASTER = chain.addressOf('jetton')
const sending: chain.Sending = { id: 1, to: ALICE, amount: 2n ** 120n - 1n, now: 1_785_330_000 }
const transfer = chain.jettonTransfer(sending, MASTER)

/** What a watcher of Alice's address makes of a transfer, as the client reads it from a server without filters. */
async function readOf({ row, sent, received }: Partial<chain.TransferOnChain>) {
  const index = await startIndexStandIn(sending.now)
  index.isFilterIgnored = true
  if (row !== undefined) index.list(row)
  for (const transaction of [sent, received]) if (transaction !== undefined) index.show(transaction)
  const v3 = createV3Client({ baseUrl: index.url, rps: Infinity })
  const { jetton_transfers } = await v3.jettonTransfers()
  return jettonDeposits(v3, [ALICE], MASTER).read(jetton_transfers, new AbortController().signal)
}

it('takes jettons that the jetton wallet received for a deposit', async () => {
  const deposit = {
    txHash: chain.hashOf('received 1'),
    messageHash: chain.hashOf('message 1'),
    address: canonicalAddress(ALICE),
    asset: canonicalAddress(MASTER),
    amount: 2n ** 120n - 1n,
    sender: canonicalAddress(chain.addressOf('payer 1')),
    at: new Date(sending.now * 1000),
  }

  expect(await readOf(transfer)).toEqual({ deposits: [deposit], isUnderWay: false })
})

const STRANGER = chain.addressOf('stranger')
it.each([
  ['are of another master', chain.jettonTransfer(sending, chain.addressOf('other jetton'))],
  ['went to somebody else', chain.jettonTransfer({ ...sending, to: STRANGER }, MASTER)],
  ['never left', { ...transfer, row: { ...transfer.row, transaction_aborted: true } }],
  ['left without a message', { ...transfer, sent: { ...transfer.sent, out_msgs: [] } }],
  ['bounced', { ...transfer, received: chain.refusedBy(transfer.received) }],
])('does not take jettons that %s for a deposit', async (_, onChain) => {
  expect(await readOf(onChain)).toEqual({ deposits: [], isUnderWay: false })
})

it.each([
  ['its first transaction', { row: transfer.row }],
  ['its arrival', { row: transfer.row, sent: transfer.sent }],
  ['a final arrival', { ...transfer, received: { ...transfer.received, finality: 'confirmed' } }],
])('waits for a transfer as long as the index does not show %s', async (_, onChain) => {
  expect(await readOf(onChain)).toEqual({ deposits: [], isUnderWay: true })
})
