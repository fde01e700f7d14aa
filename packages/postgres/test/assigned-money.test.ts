import {
  createPayments,
  createTransferReport,
  type Inbox,
  type NewCredit,
  type TransferData,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTestLogger, transferCompleted } from '@tonplug/testing'
import { expect, it, onTestFinished } from 'vitest'
import { postgresInbox } from '../src/postgres-inbox.js'
import { postgresOrderRepository } from '../src/postgres-order-repository.js'
import { openPGlite } from './databases.js'

const WALLET = `0:${'1'.repeat(64)}`
const SENDER = `0:${'2'.repeat(64)}`
const HASH = 'a'.repeat(64)
const TRACE = '9'.repeat(64)

const CREDIT: NewCredit = {
  id: 'credit-1',
  account: WALLET,
  wallet: WALLET,
  txHash: HASH,
  asset: 'TON',
  rawAmount: 5n,
  traceId: TRACE,
  utime: 1_767_614_400,
  route: [
    {
      hash: '8'.repeat(64),
      sender: SENDER,
      recipient: WALLET,
      value: 5n,
      isCommentEncrypted: false,
      transaction: HASH,
      fees: 0n,
      isShared: false,
    },
  ],
}

/** Opens a shop of two merchants, whose wallet has received money that names no order. */
async function openShop(
  beforeClaim: (shop: {
    deliver: (merchant: string, named: Partial<TransferData>) => Promise<unknown>
  }) => Promise<void>,
) {
  const database = await openPGlite()
  onTestFinished(() => database.close())
  const orders = postgresOrderRepository(database.db)
  const stored = postgresInbox(database.db)
  let isClaiming = false
  const inbox: Inbox = {
    ...stored,
    credits: {
      ...stored.credits,
      async claim(claim) {
        if (!isClaiming) await beforeClaim({ deliver })
        isClaiming = true
        return stored.credits.claim(claim)
      },
    },
  }
  const logger = createTestLogger()
  const payments = createPayments({ orders, inbox, wallets: [WALLET], logger, autoStart: false })
  onTestFinished(() => payments.close())
  payments.start()
  for (const merchant of ['north', 'south']) {
    await orders.create({ reference: 'order-1', merchant, rawAmount: 5n, asset: 'TON', data: {} })
  }
  const transferOf = (changes: Partial<TransferData>) =>
    transferCompleted({
      rawAmount: '5',
      asset: 'TON',
      senderAddr: SENDER,
      recipientAddr: WALLET,
      bodyBase64Hash: '',
      txHash: HASH,
      traceId: TRACE,
      ...changes,
    }).data
  const deliver = (merchant: string, named: Partial<TransferData>) => {
    const transfer = transferOf({ reference: 'order-1', txHash: '5'.repeat(64), ...named })
    return payments.submit(createTransferReport(transfer, { merchant, source: 'webhook' }))
  }
  await stored.credits.store([CREDIT])
  const found = createTransferReport(transferOf({ reference: '' }), {
    source: 'chain',
    payments: ['credit:credit-1'],
  })
  expect(await payments.submit(found)).toMatchObject({ kind: 'unknown_order' })
  return {
    orders,
    operator: createOperator({ payments }),
    uses: async () => (await stored.credits.find({ ids: [CREDIT.id] })).flatMap(({ uses }) => uses),
  }
}

const SOUTH = { reference: 'order-1', merchant: 'south' }

it('S118 assigns no money that a webhook of another merchant uses before the claim', async () => {
  let delivered: unknown
  const shop = await openShop(async ({ deliver }) => void (delivered = await deliver('north', {})))
  const { decision } = await shop.operator.assign(
    { transactionHash: HASH, ...SOUTH },
    { by: 'ann' },
  )
  expect(delivered).toMatchObject({ kind: 'paid' })
  expect(decision).toMatchObject({ kind: 'unverified', reason: 'reused' })
  expect(await shop.orders.find(SOUTH)).toMatchObject({ status: 'pending' })
  expect(await shop.uses()).toEqual([])
})

it('S118 leaves money unused whose order other money completes before the claim', async () => {
  let delivered: unknown
  const shop = await openShop(async ({ deliver }) => {
    delivered = await deliver('south', { traceId: '7'.repeat(64) })
  })
  const { decision } = await shop.operator.assign(
    { transactionHash: HASH, ...SOUTH },
    { by: 'ann' },
  )
  expect(delivered).toMatchObject({ kind: 'paid' })
  expect(decision).toMatchObject({ kind: 'extra_payment' })
  expect(await shop.uses()).toEqual([])
})

it('S118 assigns money once, and keeps its use', async () => {
  const shop = await openShop(async () => undefined)
  const { decision } = await shop.operator.assign(
    { transactionHash: HASH, ...SOUTH },
    { by: 'ann' },
  )
  expect(decision).toMatchObject({ kind: 'paid' })
  expect(await shop.uses()).toMatchObject([{ kind: 'order', merchant: 'south', payment: HASH }])
})
