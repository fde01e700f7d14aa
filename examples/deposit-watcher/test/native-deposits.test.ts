import { canonicalAddress } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import type { V3Transaction } from '@tonplug/core/toncenter'
import { expect, it } from 'vitest'
import { nativeDeposits } from '../src/native-deposits.js'
import * as chain from './chain.js'
import { startFakeIndex } from './fake-index.js'

const ALICE = chain.addressOf('alice')
const sample: chain.SampleTransfer = { id: 1, to: ALICE, amount: 2n ** 63n, now: 1_785_330_000 }

/** Reads the deposits of Alice's address from a transaction. */
async function depositsOf(row: chain.TransactionRow) {
  const index = await startFakeIndex(sample.now)
  index.addTransaction(row)
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
  at: new Date(sample.now * 1000),
}

it('counts an aborted transfer to an account without a contract as a deposit', async () => {
  const row = chain.toUndeployed(sample)

  expect(row.description.aborted).toBe(true)
  expect(await depositsOf(row)).toEqual([deposit])
})

it('counts a transfer that a contract received as a deposit', async () => {
  expect(await depositsOf(chain.toContract(sample))).toEqual([deposit])
})

it.each([
  ['bounced', chain.bounced(sample)],
  ['bounced according to their message alone', chain.bouncedWithoutPhase(sample)],
  ['are own coins that were returned', chain.returned(sample)],
  ['came with a jetton notification', chain.transferNotification(sample)],
  ['are unused jetton fees', chain.excesses(sample)],
  [
    'were sent to another address',
    chain.toUndeployed({ ...sample, to: chain.addressOf('unwatched') }),
  ],
])('does not count coins that %s as a deposit', async (_, row) => {
  expect(await depositsOf(row)).toEqual([])
})

it('does not count an external message as a deposit', async () => {
  expect(await depositsOf(chain.externalMessage(sample))).toEqual([])
})

it('does not count a tick-tock transaction, which has no message, as a deposit', async () => {
  expect(await depositsOf({ ...chain.toUndeployed(sample), in_msg: null })).toEqual([])
})
