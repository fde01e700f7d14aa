import { internal } from '@ton/core'
import {
  memoryOrderRepository,
  type Credit,
  type MemoryOrderRepository,
  type Order,
  type TransferData,
} from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { bodyOf, claimOf } from '../proof/payer.js'
import { scriptedProof } from '../proof/scripted-proof.js'
import { openShop, order } from '../shop.js'
import { directCredit } from './direct-credit.js'
import { addOrder, openTelling, ours, PRICE } from './proven-shop.js'

const REFERENCES = ['order-1', 'order-2', 'order-3']
const SHARED = { txHash: '1a'.repeat(32), traceId: '1a'.repeat(32) }

/** Opens a shop that is killed once when it has completed the second order, and pays orders in one transaction. */
async function payBatch({ isKilled, count = 1 }: { isKilled: boolean; count?: 1 | 2 }) {
  const repository = memoryOrderRepository()
  let kills = isKilled ? 1 : 0
  const complete: MemoryOrderRepository['complete'] = async (key, payment) => {
    const made = await repository.complete(key, payment)
    if (key.reference === 'order-2' && kills-- > 0) throw new Error('killed')
    return made
  }
  const shop = await openTelling({
    count,
    repository,
    payments: { orders: { ...repository, complete } },
  })
  const { payer } = shop
  const messages = REFERENCES.map((reference) =>
    internal({ to: ours, value: PRICE, bounce: false, body: bodyOf(reference) }),
  )
  const root = await payer.send(messages)
  const traceId = root.transaction.hash().toString('hex')
  const paid = REFERENCES.map((reference) => {
    const claim = { reference, sender: payer.address, to: ours, amount: PRICE }
    return claimOf(root, { ...claim, body: bodyOf(reference) })
  })
  const send = async (transfer: TransferData): Promise<void> => {
    addOrder(shop.repository, transfer)
    await shop.run(shop.send(transfer))
    await shop.settle()
  }
  return { ...shop, traceId, paid, send }
}

describe('a batch of payments without a watcher, whose webhooks name its first transaction', () => {
  it.each([
    [false, 1],
    [true, 1],
    [false, 2],
    [true, 2],
  ] as const)(
    'S153 pays each order with its own credit (killed: %s, sources of the proof: %i)',
    async (isKilled, count) => {
      const shop = await payBatch({ isKilled, count })
      for (const transfer of shop.paid) await shop.send(transfer)
      for (const _ of Array(4)) await shop.settle()
      expect([shop.shipped.toSorted(), shop.events, shop.unverified]).toEqual([REFERENCES, [], []])
      const uses = (await shop.uses(shop.traceId)).map((one) => one.join())
      expect(uses.toSorted()).toEqual(REFERENCES.map((reference) => `${reference} ${PRICE}`))
    },
  )

  it.each([1, 2] as const)(
    'S82 pays no order with the payment of another one (sources of the proof: %i)',
    async (count) => {
      const shop = await payBatch({ isKilled: false, count })
      const [first] = shop.paid
      await shop.send(first!)
      await shop.send({ ...first!, reference: 'order-4' })
      expect(shop.shipped).toEqual(['order-1'])
      expect(shop.unverified).toMatchObject([{ reference: 'order-4', reason: 'reused' }])
    },
  )
})

describe('a batch of payments that nothing proves, whose webhooks name its first transaction', () => {
  const bodies = ['0a', '0b', '0c'].map((byte) =>
    Buffer.from(byte.repeat(32), 'hex').toString('base64'),
  )
  const orders = REFERENCES.map((reference, index) =>
    order({ reference, bodyBase64Hash: bodies[index]! }),
  )

  /** Delivers a webhook for each order. @param sent the bodies of the messages */
  async function deliver(given: readonly Order[], sent: readonly string[]) {
    const unverified: string[] = []
    const shop = openShop(given, {
      onUnverified: ({ transfer }) => void unverified.push(transfer.reference),
    })
    for (const [index, reference] of REFERENCES.entries()) {
      const own = { reference, bodyBase64Hash: sent[index] ?? '' }
      for (const _ of [1, 2]) await shop.send(transferCompleted({ ...SHARED, ...own }))
      await shop.settle()
    }
    return { shipped: shop.shipped, unverified }
  }

  it('S153 pays each order, and reports none as unverified', async () => {
    expect(await deliver(orders, bodies)).toEqual({ shipped: REFERENCES, unverified: [] })
  })

  it.each([
    ['with one body', (one: Order) => ({ ...one, bodyBase64Hash: bodies[0] }), [0, 0, 0]],
    ['that has no body', (one: Order) => ({ ...one, bodyBase64Hash: undefined }), [0, 3, 3]],
    ['that no order asks for', (one: Order) => ({ ...one, bodyBase64Hash: undefined }), [0, 1, 2]],
  ] as const)('S82 pays one order with a message %s', async (_, change, sent) => {
    const hashes = sent.map((index) => bodies[index] ?? '')
    expect(await deliver(orders.map(change), hashes)).toEqual({
      shipped: ['order-1'],
      unverified: ['order-2', 'order-3'],
    })
  })
})

describe('a payment of a batch, whose first transaction another order has claimed', () => {
  const { recipientAddr: wallet } = transferCompleted().data
  const { txHash: shared } = SHARED
  const own = { name: 'default', merchant: '', reference: 'order-2' }

  const [credit, other] = ['2b', '3c'].map((byte) =>
    directCredit({ txHash: byte.repeat(32), traceId: shared }),
  ) as [Credit, Credit]

  it.each([
    ['that order', own, shared, ['order-1']],
    ['that order, by its own transaction', own, other.txHash, []],
    ['an order of another name', { ...own, name: 'b' }, shared, []],
    ['an order of a merchant', { ...own, merchant: 'b' }, shared, []],
  ])(
    'S82 S153 pays its order only when another credit has paid that order: %s',
    async (_, user, payment, shipped) => {
      const verified = {
        message: credit.txHash,
        credits: [credit.id],
        ledgerCredits: [credit],
        txHash: credit.txHash,
        amount: credit.rawAmount,
        utime: credit.utime,
        transactions: [credit.txHash],
      } as const
      const verifyOnChain = scriptedProof({ kind: 'verified', payments: [verified] })
      const shop = openShop([order()], { wallets: [wallet], verifyOnChain })
      const { credits } = shop.inbox
      await credits.claim({ ...own, payments: [`tx:${shared}`], payment: shared })
      await credits.store([other])
      const used = { payments: [`credit:${other.id}`], usedAmount: 1n }
      await credits.claim({ ...user, ...used, payment })
      await credits.claim({ ...own, ...used, kind: 'refund', reference: 'surplus' })
      await shop.send(transferCompleted(SHARED))
      await shop.clock.advance(5000)
      expect(shop.shipped).toEqual(shipped)
      const decision = shipped.length > 0 ? { kind: 'paid' } : { reason: 'reused' }
      expect(await shop.inbox.reports.find('report-1')).toMatchObject({ decision })
    },
  )
})
