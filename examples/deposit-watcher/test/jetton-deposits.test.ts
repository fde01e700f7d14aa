import { canonicalAddress } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { expect, it } from 'vitest'
import { jettonDeposits } from '../src/jetton-deposits.js'
import * as chain from './chain.js'
import { startFakeIndex } from './fake-index.js'
import type { FakeIndexHooks } from './fake-index.js'

const ALICE = chain.addressOf('alice')
const MASTER = chain.addressOf('jetton')
const sample: chain.SampleTransfer = {
  id: 1,
  to: ALICE,
  amount: 2n ** 120n - 1n,
  now: 1_785_330_000,
}
const transfer = chain.jettonTransfer(sample, MASTER)

/** Reads the deposits of Alice's address from a server that ignores filters. */
async function readDeposits(
  { row, sent, received }: Partial<chain.TransferOnChain>,
  hooks: FakeIndexHooks = {},
) {
  const index = await startFakeIndex(sample.now, hooks)
  index.isFilterIgnored = true
  if (row !== undefined) index.addTransfer(row)
  for (const transaction of [sent, received])
    if (transaction !== undefined) index.addTransaction(transaction)
  const v3 = createV3Client({ baseUrl: index.url, rps: Infinity })
  const { jetton_transfers } = await v3.jettonTransfers()
  return jettonDeposits(v3, [ALICE], MASTER).read(jetton_transfers, new AbortController().signal)
}

it('counts jettons that the jetton wallet received as a deposit', async () => {
  const deposit = {
    txHash: chain.hashOf('received 1'),
    messageHash: chain.hashOf('message 1'),
    address: canonicalAddress(ALICE),
    asset: canonicalAddress(MASTER),
    amount: 2n ** 120n - 1n,
    sender: canonicalAddress(chain.addressOf('payer 1')),
    at: new Date(sample.now * 1000),
  }

  expect(await readDeposits(transfer)).toEqual({ deposits: [deposit], isIncomplete: false })
})

const UNWATCHED = chain.addressOf('unwatched')
it.each([
  ['are of another master', chain.jettonTransfer(sample, chain.addressOf('other jetton'))],
  ['were sent to another address', chain.jettonTransfer({ ...sample, to: UNWATCHED }, MASTER)],
  ['were never sent', { ...transfer, row: { ...transfer.row, transaction_aborted: true } }],
  ['were sent without a message', { ...transfer, sent: { ...transfer.sent, out_msgs: [] } }],
  [
    'arrived at a wallet that the master does not name',
    { ...transfer, received: { ...transfer.received, account: chain.addressOf('forged wallet') } },
  ],
  ['bounced', { ...transfer, received: chain.rejected(transfer.received) }],
])('does not count jettons that %s as a deposit', async (_, onChain) => {
  expect(await readDeposits(onChain)).toEqual({ deposits: [], isIncomplete: false })
})

it.each([
  ['its first transaction', { row: transfer.row }],
  ['its arrival', { row: transfer.row, sent: transfer.sent }],
  ['a final arrival', { ...transfer, received: { ...transfer.received, finality: 'confirmed' } }],
])('is incomplete until the index lists %s', async (_, onChain) => {
  expect(await readDeposits(onChain)).toEqual({ deposits: [], isIncomplete: true })
})

it('is incomplete until the index knows the contract of the jetton wallet', async () => {
  const onRequest: FakeIndexHooks['onRequest'] = ({ call }) =>
    call?.method === 'get_wallet_data'
      ? { status: 200, body: { gas_used: 0, exit_code: -13, stack: [] } }
      : undefined
  expect(await readDeposits(transfer, { onRequest })).toEqual({ deposits: [], isIncomplete: true })
})

it.each([
  ['of another owner', chain.walletData(chain.addressOf('bob'), MASTER)],
  ['of another jetton', chain.walletData(ALICE, chain.addressOf('other jetton'))],
])('rejects when the master names a wallet %s', async (_, body) => {
  const onRequest: FakeIndexHooks['onRequest'] = ({ call }) =>
    call?.method === 'get_wallet_data' ? { status: 200, body } : undefined
  await expect(readDeposits(transfer, { onRequest })).rejects.toThrow('set JETTON_MASTER')
})
