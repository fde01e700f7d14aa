import { beginCell, contractAddress, loadTransaction as loadFromCell, toNano } from '@ton/core'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { loadTransaction } from '@tonplug/core/contract'
import { describe, expect, test } from 'vitest'
import { comparable } from './comparable.js'
import { decodeCaptured } from './captured.js'
import { probeCode } from '../chain/probe.js'
import { jettonMinter, mintBody, walletV4 } from '@tonplug/simulator'
import { serveChain } from '../chain/served-chain.js'
import { openers } from './openers.js'
import { senderOf, useJetton } from './scripts.js'

// Each test begins a chain of its own.
async function everyKind() {
  const served = await serveChain()
  const { chain, v2Server, v3Server } = served
  const opener = openers['API v2'](served)
  await useJetton(chain, opener)
  const { wallet, keys } = walletV4(3)
  await chain.fund(wallet.address, toNano(5))
  const sender = await senderOf(opener, { wallet, keys })
  const init = { code: probeCode(), data: beginCell().endCell() }
  const probe = opener.provider(contractAddress(0, init), init)
  const order = (op: number) => beginCell().storeUint(op, 32).endCell()
  await probe.internal(sender, { value: '0.5', bounce: false })
  await probe.internal(sender, { value: '0.1', body: order(2) })
  // A wrong get-method for minting, and an account without a contract.
  const { address } = jettonMinter(walletV4(1).wallet.address)
  await opener.provider(address).internal(sender, { value: '0.1', body: mintBody(address, 1n) })
  await opener.provider(walletV4(8).wallet.address).internal(sender, { value: '0.1' })
  return {
    chain,
    probe,
    sender,
    order,
    v2: createV2Client({ baseUrl: v2Server.url, rps: Infinity }),
    v3: createV3Client({ baseUrl: v3Server.url, rps: Infinity }),
  }
}

test('all transactions of a chain are equal from v2, from v3 and from the chain itself', async () => {
  const { chain, v2, v3 } = await everyKind()
  const { transactions } = await v3.transactions({ limit: 1000, sort: 'asc' })
  expect(transactions).toHaveLength(chain.transactions.length)
  const kinds = transactions.map(({ description }) => description)
  expect(kinds.some(({ bounce }) => bounce?.type === 'ok')).toBe(true)
  expect(kinds.some(({ compute_ph: compute }) => compute?.reason === 'no_state')).toBe(true)

  for (const [index, { transaction, address }] of chain.transactions.entries()) {
    const right = comparable(loadFromCell(transaction.raw.beginParse()))
    const hash = transaction.hash()
    const [fromV2] = await v2.getTransactions({ address, lt: transaction.lt, hash, limit: 1 })
    expect(comparable(loadTransaction(fromV2!))).toEqual(right)
    expect(comparable(loadTransaction(transactions[index]!))).toEqual(right)
  }
})

test('a message to an external address is incomplete in v3: only its cells are missing', async () => {
  const { chain, v3, probe, sender, order } = await everyKind()
  await probe.internal(sender, { value: '0.1', body: order(1) })
  const { transaction } = chain.transactions.at(-1)!
  const { transactions } = await v3.transactions({ hash: transaction.hash() })

  const loaded = loadTransaction(transactions[0]!)

  expect(loaded.hash()).toEqual(transaction.hash())
  expect(
    loaded.outMessages.values().map(({ info, body }) => [info.type, body.bits.length]),
  ).toEqual([
    ['external-out', 32],
    ['external-out', 32],
  ])
  expect(() => loaded.raw).toThrow('getTransactions of API v2')
  expect({ ...loaded, hash: undefined }).toMatchObject({ lt: transaction.lt, now: transaction.now })
})

describe('recorded transactions of the network', () => {
  test.each([
    ['transactions', 1],
    ['transactionsByMessage', 2],
    ['traces', 5],
  ] as const)('have cells with the hash of the network in %s', async (endpoint, count) => {
    const transactions = await decodeCaptured(endpoint)
    expect(transactions).toHaveLength(count)
    for (const one of transactions) {
      expect(loadTransaction(one).raw.hash().toString('base64')).toBe(one.hash)
    }
  })

  test('a transaction with an altered field has no cells', async () => {
    const [one] = await decodeCaptured('transactions')
    const altered = { ...one!, total_fees: one!.total_fees + 1n }
    expect(() => loadTransaction(altered).raw).toThrow('API v3 does not return all data')
    expect(loadTransaction(altered).hash().toString('base64')).toBe(one!.hash)
  })

  test('a transaction without the states of its account is rejected, with the missing field', async () => {
    const [one] = await decodeCaptured('transactions')
    const { account_state_before: _, ...pending } = one!
    expect(() => loadTransaction(pending)).toThrow(
      'transaction.account_state_before: the field is missing',
    )
  })

  test('an empty hash of the previous transaction counts as none', async () => {
    const [one] = await decodeCaptured('transactions')
    const first = { ...one!, prev_trans_lt: 0n }
    const { prev_trans_hash: _, ...without } = first
    expect(comparable(loadTransaction({ ...first, prev_trans_hash: '' }))).toEqual(
      comparable(loadTransaction(without)),
    )
  })

  test('a transaction with an outcome that @ton/core does not know is rejected', async () => {
    const [one] = await decodeCaptured('transactions')
    expect(() => loadTransaction({ ...one!, end_status: 'molten' })).toThrow(
      'transaction.end_status: @ton/core has no equivalent of molten',
    )
  })
})

test('rejects invalid cells, and cells of another transaction', async () => {
  const { v2 } = await everyKind()
  const [one, other] = await v2.getTransactions({ address: walletV4(3).wallet.address })
  expect(() => loadTransaction({ ...one!, data: 'te6c' })).toThrow(
    'transaction.data: expected a BoC with one root',
  )
  expect(() => loadTransaction({ ...one!, data: other!.data })).toThrow(
    'received cells with a different hash',
  )
})
