import { canonicalAddress, createV3Client } from '@tonplug/core'
import type { V3Transaction } from '@tonplug/core'
import { expect, it } from 'vitest'
import { nativeDeposits } from '../src/native-deposits.js'
import * as chain from './chain.js'
import { startIndexStandIn } from './index-stand-in.js'

const ALICE = chain.addressOf('alice')
const sending: chain.Sending = { id: 1, to: ALICE, amount: 2n ** 63n, now: 1_785_330_000 }

/** What a watcher of Alice's address makes of a transaction, as the client reads it. */
async function depositsOf(row: chain.TransactionRow) {
  const index = await startIndexStandIn(sending.now)
  index.show(row)
  const v3 = createV3Client({ baseUrl: index.url, rps: Infinity })
  const transactions: V3Transaction[] = (await v3.transactions({ hash: row.hash })).transactions
  const { deposits } = await nativeDeposits(v3, [ALICE]).read(transactions, never)
  return deposits
}

const never = new AbortController().signal

const deposit = {
  txHash: chain.hashOf('transaction 1'),
  messageHash: chain.hashOf('message 1'),
  address: canonicalAddress(ALICE),
  asset: 'TON',
  amount: 2n ** 63n,
  sender: canonicalAddress(chain.addressOf('payer 1')),
  at: new Date(sending.now * 1000),
}

it('takes a transfer to an account without a contract, which is aborted, for a deposit', async () => {
  const row = chain.toUndeployed(sending)

  expect(row.description.aborted).toBe(true)
  expect(await depositsOf(row)).toEqual([deposit])
})

it('takes a transfer that a contract received for a deposit', async () => {
  expect(await depositsOf(chain.toContract(sending))).toEqual([deposit])
})

it.each([
  ['bounced', chain.bounced(sending)],
  ['are own ones that came back', chain.cameBack(sending)],
  ['came with a notice of jettons', chain.notice(sending)],
  ['are left of the fees for jettons', chain.excesses(sending)],
  ['went to somebody else', chain.toUndeployed({ ...sending, to: chain.addressOf('stranger') })],
])('does not take coins that %s for a deposit', async (_, row) => {
  expect(await depositsOf(row)).toEqual([])
})

it('does not take an order from outside for a deposit', async () => {
  expect(await depositsOf(chain.fromOutside(sending))).toEqual([])
})

it('does not take a tick-tock transaction, which has no message, for a deposit', async () => {
  expect(await depositsOf({ ...chain.toUndeployed(sending), in_msg: null })).toEqual([])
})
