import {
  memoryOrderRepository,
  type MemoryOrderRepository,
  type PaymentVerifier,
  type VerificationResult,
} from '@tonplug/core'
import { describe, expect, it } from 'vitest'
import { addOrder, openTelling, payTwice, PRICE } from './proven-shop.js'

/** The proof of the shop before and after the process was killed. */
type Proof = (isKilled: boolean) => VerificationResult

/** Opens a shop whose process is killed when it has completed an order. */
async function openKilled(proof?: Proof) {
  const repository = memoryOrderRepository()
  let isKilled = false
  const complete: MemoryOrderRepository['complete'] = async (key, payment) => {
    const made = await repository.complete(key, payment)
    if (isKilled) return made
    isKilled = true
    throw new Error('killed')
  }
  const orders = { ...repository, complete }
  const verifyOnChain: PaymentVerifier | undefined = proof && {
    deadlineMs: 600_000,
    verify: async () => proof(isKilled),
  }
  const payments = verifyOnChain === undefined ? { orders } : { orders, verifyOnChain }
  const shop = await openTelling({ repository, payments })
  const names = await payTwice(shop)
  const [transfer] = names
  const pay = async (merchant: string) => {
    addOrder(repository, transfer, { merchant, bodyBase64Hash: undefined })
    const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
    await shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer })
    for (let turn = 0; turn < 4; turn++) {
      await shop.settle()
      await shop.clock.advance(300_000)
      await shop.settle()
    }
    expect(isKilled).toBe(true)
  }
  return { ...shop, names, pay }
}

describe('a process that is killed between the completion of an order and its record', () => {
  it.each(['', 'a'])(
    'S117 reports the second of two payments once, and refunds no other one, to the merchant %j',
    async (merchant) => {
      const shop = await openKilled()
      await shop.pay(merchant)
      expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
      const states: string[] = []
      for (const { txHash: transactionHash } of shop.names.slice(1)) {
        const asked = shop.operator.refund({ transactionHash, merchant }, { by: 'ann' })
        states.push(await asked.then(({ state }) => state).catch(() => 'refused'))
      }
      expect(states.filter((state) => state === 'proposed')).toHaveLength(1)
    },
  )

  it.each<VerificationResult>([
    { kind: 'pending', reason: 'unreachable', detail: 'down' },
    { kind: 'contradicted', reason: 'other_amount', detail: 'another amount' },
  ])('S46 records the order as paid when the proof is $kind afterwards', async (afterwards) => {
    const payment = {
      message: 'ab'.repeat(32),
      credits: ['credit-1'],
      amount: PRICE,
      utime: 0,
      transactions: [],
    } as const
    const shop = await openKilled((isKilled) =>
      isKilled ? afterwards : { kind: 'verified', payments: [payment] },
    )
    await shop.pay('')
    expect([shop.shipped, shop.unverified]).toEqual([['order-1'], []])
    const [{ txHash }] = shop.names
    const query = { name: 'default', txHashes: [txHash], limit: 9 }
    const reports = await shop.inbox.reports.list(query)
    expect(reports.map(({ decision }) => decision?.kind)).toEqual(['paid'])
  })
})
