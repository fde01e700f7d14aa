import { memoryInbox, memoryOrderRepository, type TransferData } from '@tonplug/core'
import { transferCompleted } from '@tonplug/testing'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'
import { openShop, order } from '../shop.js'
import { createPayer, orderFor } from './payer.js'
import { openProofShop } from './proof-shop.js'

const ours = walletV4(90).wallet.address
const wallets = [ours.toString()]
const { txHash } = transferCompleted().data

describe('a payment that has paid an order by its webhook, while proofs were disabled', () => {
  it.each(['the same transaction', 'another transaction of its route'])(
    'S82 pays no other order by a proof that names %s',
    async (named) => {
      const { chain, v3Server } = await serveChain()
      const payer = await createPayer(chain, 80)
      const paid = await payer.pay({ reference: 'order-1', to: ours, value: 5n })
      const lastHash = chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
      const namedHash = named === 'the same transaction' ? paid.txHash : lastHash
      const again: TransferData = { ...paid, txHash: namedHash, reference: 'order-2' }
      const driven = createDrivenClock()
      const shared = {
        url: v3Server.url,
        orders: [],
        wallets,
        driven,
        repository: memoryOrderRepository([orderFor(paid), orderFor(again)]),
        inbox: { ...memoryInbox({ clock: driven.clock }), isDurable: true },
      }
      const former = openProofShop({ ...shared, payments: { verifyOnChain: undefined } })
      expect((await former.send(paid)).decision.kind).toBe('paid')
      await driven.clock.advance(0)
      await former.payments.close()
      await driven.clock.advance(40_000)

      const shop = openProofShop(shared)
      expect(await shop.decide(again)).toMatchObject({ kind: 'unverified', reason: 'reused' })
      await driven.clock.advance(0)
      expect([former.shipped, shop.shipped]).toEqual([['order-1'], []])
      expect(shop.unverified).toMatchObject([{ reference: 'order-2', reason: 'reused' }])
      expect(await shop.orders.find({ reference: 'order-2' })).toMatchObject({ status: 'pending' })
    },
  )
})

describe('a payment that has paid an order', () => {
  it('S82 pays no other order by a webhook that names the same transaction', async () => {
    const unverified: string[] = []
    const shop = openShop([order(), order({ reference: 'order-2' })], {
      onUnverified: ({ order: { reference }, decision }) =>
        unverified.push(`${reference} ${decision.reason}`),
    })
    expect(await shop.decide(transferCompleted())).toBe('paid')
    expect(await shop.decide(transferCompleted({ reference: 'order-2', txHash }))).toBe(
      'unverified',
    )
    await shop.settle()
    expect(shop.shipped).toEqual(['order-1'])
    expect(unverified).toEqual(['order-2 reused'])
    expect(shop.orders.all()).toMatchObject([{ status: 'completed' }, { status: 'pending' }])
  })

  it('S82 pays one of two orders whose webhooks arrive concurrently', async () => {
    const references = ['order-1', 'order-2']
    const shop = openShop(references.map((reference) => order({ reference })))
    const kinds = await Promise.all(
      references.map((reference) => shop.decide(transferCompleted({ reference, txHash }))),
    )
    await shop.settle()
    expect(kinds.toSorted()).toEqual(['paid', 'unverified'])
    expect(shop.shipped).toHaveLength(1)
  })
})
