import { canonicalAddress } from '@tonplug/core'
import { createV3Client } from '@tonplug/core/toncenter'
import { describe, expect, it } from 'vitest'
import { readDeposit, type DepositAccounts } from '../src/deposit.js'
import * as chain from './chain.js'
import { startFakeIndex } from './fake-index.js'

const ALICE = chain.addressOf('alice')
const MASTER = chain.addressOf('jetton')
const WALLET = chain.jettonWalletOf(ALICE, MASTER)
const address = canonicalAddress(ALICE)
const jetton = { address, asset: canonicalAddress(MASTER) }
const accounts: DepositAccounts = new Map([
  [address, { address, asset: 'TON' }],
  [canonicalAddress(WALLET), jetton],
])

/** Reads the deposit of a transaction from a server that ignores filters. */
async function depositOf(row: chain.TransactionRow, of = accounts) {
  const index = await startFakeIndex(row.now)
  index.isFilterIgnored = true
  index.addTransaction(row)
  const v3 = createV3Client({ baseUrl: index.url, rps: Infinity })
  const [transaction] = (await v3.transactions()).transactions
  if (transaction === undefined) throw new Error('expected a transaction')
  return readDeposit(transaction, of)
}

describe('a deposit of coins', () => {
  const sample: chain.SampleTransfer = { id: 1, to: ALICE, amount: 2n ** 63n, now: 1_785_330_000 }
  const deposit = {
    hash: chain.hashOf('transaction 1'),
    address,
    asset: 'TON',
    amount: 2n ** 63n,
    at: new Date(sample.now * 1000),
  }

  it('includes an aborted transfer to an account without a contract', async () => {
    const row = chain.toUndeployed(sample)

    expect(row.description.aborted).toBe(true)
    expect(await depositOf(row)).toEqual(deposit)
  })

  it('includes a transfer to a contract', async () => {
    expect(await depositOf(chain.toContract(sample))).toEqual(deposit)
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
    ['only pay the fees of a jetton wallet', chain.toContract({ ...sample, to: WALLET })],
    ['are none', chain.toContract({ ...sample, amount: 0n })],
  ])('does not include coins that %s', async (_, row) => {
    expect(await depositOf(row)).toBeUndefined()
  })

  it('does not include an external message', async () => {
    expect(await depositOf(chain.externalMessage(sample))).toBeUndefined()
  })

  it('does not include a tick-tock transaction, which has no message', async () => {
    expect(await depositOf({ ...chain.toUndeployed(sample), in_msg: null })).toBeUndefined()
  })
})

describe('a deposit of jettons', () => {
  const sample: chain.SampleTransfer = {
    id: 1,
    to: ALICE,
    amount: 2n ** 120n - 1n,
    now: 1_785_330_000,
  }
  const arrival = chain.jettonArrival(sample, MASTER)

  it('includes jettons that the jetton wallet received', async () => {
    expect(await depositOf(arrival)).toEqual({
      ...jetton,
      hash: chain.hashOf('transaction 1'),
      amount: 2n ** 120n - 1n,
      at: new Date(sample.now * 1000),
    })
  })

  it('includes a transfer of USDT as an index listed it', async () => {
    const row = chain.capturedJettonArrival()
    const of = new Map([[canonicalAddress(row.account), jetton]])

    expect(await depositOf(row, of)).toMatchObject({ ...jetton, amount: 3_000_000n })
  })

  it.each([
    ['are of another master', chain.jettonArrival(sample, chain.addressOf('other jetton'))],
    [
      'were sent to another address',
      chain.jettonArrival({ ...sample, to: chain.addressOf('unwatched') }, MASTER),
    ],
    [
      'arrived at a wallet that the master does not name',
      { ...arrival, account: chain.addressOf('forged wallet') },
    ],
    ['bounced', chain.rejected(arrival)],
    ['are own jettons that were returned', chain.sentBack(arrival)],
    ['are none', chain.jettonArrival({ ...sample, amount: 0n }, MASTER)],
  ])('does not include jettons that %s', async (_, row) => {
    expect(await depositOf(row)).toBeUndefined()
  })

  it('does not include jettons of a forged message to the deposit address, only its coins', async () => {
    const row = { ...arrival, account: ALICE }

    expect(await depositOf(row)).toMatchObject({ asset: 'TON', amount: 16_447_200n })
  })

  it('rejects a transfer whose body the index does not list', async () => {
    const row = { ...arrival, in_msg: { ...arrival.in_msg!, message_content: null } }

    await expect(depositOf(row)).rejects.toThrow('The index has no body of')
  })
})
