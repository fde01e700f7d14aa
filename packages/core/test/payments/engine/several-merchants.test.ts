import {
  handlerTaskKey,
  memoryOrderRepository,
  type HandlerContext,
  type Order,
  type PaymentVerifier,
  type WebhookRequest,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { signPayload, transferCompleted } from '@tonplug/testing'
import { describe, expect, it } from 'vitest'
import { scriptedProof } from '../proof/scripted-proof.js'
import { openShop, order, OTHER_SECRET, SECRET, type Shop, type ShopOptions } from '../shop.js'

const SECRETS: Record<string, string> = { a: SECRET, b: OTHER_SECRET }
const WALLET = transferCompleted().data.recipientAddr
const OTHER_WALLET = transferCompleted().data.senderAddr

type Merchant = 'a' | 'b'

/** The merchants of one route, told apart by a header. */
interface Merchants extends Shop {
  /** Delivers a webhook that a merchant has signed. @returns the kind of the decision. */
  deliver(merchant: Merchant, payload: object): Promise<string>
  /** The runs of handlers, as merchant, reference and idempotency key. */
  runs: [merchant: string, reference: string, idempotencyKey: string][]
}

function openMerchants(orders: readonly Order[], options: ShopOptions = {}): Merchants {
  const runs: Merchants['runs'] = []
  const shop = openShop(orders, {
    secrets: ({ headers }) => secretsOf(headers),
    onPaid: ({ order: { reference } }, { merchant, idempotencyKey }: HandlerContext) =>
      void runs.push([merchant, reference, idempotencyKey]),
    ...options,
  })
  return {
    ...shop,
    runs,
    async deliver(merchant, payload) {
      const { body, headers } = signPayload(payload, SECRETS[merchant] ?? '')
      const request = { headers: { ...headers, 'x-merchant': merchant }, rawBody: body }
      return (await shop.receiver.receive(request)).decision.kind
    },
  }
}

function secretsOf(headers: WebhookRequest['headers']) {
  const merchant = 'get' in headers ? '' : String(headers['x-merchant'])
  return { merchant, secrets: SECRETS[merchant] ?? '' }
}

/** The wallets of both merchants, and a proof, if any. */
const policies: [string, { walletOfA: string; proof: PaymentVerifier | undefined }][] = [
  ['without a proof', { walletOfA: OTHER_WALLET, proof: undefined }],
  ['with a proof', { walletOfA: OTHER_WALLET, proof: scriptedProof() }],
  ['with one wallet', { walletOfA: WALLET, proof: undefined }],
  ['with one wallet and a proof', { walletOfA: WALLET, proof: scriptedProof() }],
]

describe.each(policies)('two merchants on one route %s', (_, { walletOfA, proof }) => {
  const ofA = order({ merchant: 'a', recipient: walletOfA })
  const ofB = order({ merchant: 'b', recipient: WALLET })
  const policy = { wallets: [], ...(proof !== undefined && { verifyOnChain: proof }) }
  const payment = transferCompleted({ reference: 'order-b' })
  const { txHash } = payment.data

  it("S65 complete B's order once after A has signed B's reference and transaction", async () => {
    const shop = openMerchants([{ ...ofB, reference: 'order-b' }], policy)
    expect(await shop.deliver('a', payment)).toBe('unknown_order')
    await shop.deliver('b', payment)
    await shop.deliver('b', payment)
    await shop.clock.advance(60_000)
    const key = { name: 'default', merchant: 'b', reference: 'order-b', txHash }
    expect(shop.runs).toEqual([['b', 'order-b', handlerTaskKey('onPaid', key)]])
    expect(shop.orders.all()).toMatchObject([{ merchant: 'b', status: 'completed' }])
    expect(await shop.inbox.stats()).toMatchObject({ parked: 1, open: 0, dead: 0 })
  })

  it("S65 complete B's order when A has claimed its transaction for an order of A", async () => {
    const shop = openMerchants(
      [
        { ...ofA, reference: 'order-a' },
        { ...ofB, reference: 'order-b' },
      ],
      policy,
    )
    await shop.deliver('a', transferCompleted({ reference: 'order-a' }))
    await shop.clock.advance(5000)
    await shop.deliver('b', payment)
    await shop.clock.advance(5000)
    expect(shop.runs.filter(([merchant]) => merchant === 'b')).toHaveLength(1)
    expect(shop.orders.all()).toContainEqual(
      expect.objectContaining({ merchant: 'b', status: 'completed' }),
    )
  })

  it('S66 have independent orders with the same reference', async () => {
    const shop = openMerchants([ofA, ofB], policy)
    const toA = transferCompleted({ recipientAddr: walletOfA, txHash: '0a'.repeat(32) })
    const toB = transferCompleted({ txHash: '0b'.repeat(32) })
    await shop.deliver('a', toA)
    await shop.clock.advance(5000)
    expect(shop.orders.all().map(({ merchant, status }) => [merchant, status])).toEqual([
      ['a', 'completed'],
      ['b', 'pending'],
    ])
    await shop.deliver('b', toB)
    await shop.clock.advance(5000)
    const keyOf = (merchant: Merchant, hash: string): string =>
      handlerTaskKey('onPaid', { name: 'default', merchant, reference: 'order-1', txHash: hash })
    expect(shop.runs).toEqual([
      ['a', 'order-1', keyOf('a', toA.data.txHash)],
      ['b', 'order-1', keyOf('b', toB.data.txHash)],
    ])
  })

  it('S66 have independent reports and handlers for one identical payload', async () => {
    const shop = openMerchants([{ ...ofA, recipient: WALLET }, ofB], policy)
    await shop.deliver('a', transferCompleted())
    await shop.deliver('b', transferCompleted())
    await shop.clock.advance(5000)
    expect(shop.runs.map(([merchant]) => merchant).toSorted()).toEqual(['a', 'b'])
    expect(new Set(shop.runs.map(([, , key]) => key)).size).toBe(2)
  })
})

describe('several merchants', () => {
  it('S65 are kept apart by orderCreated and redecide', async () => {
    const shop = openMerchants([])
    for (const merchant of ['a', 'b'] as const) await shop.deliver(merchant, transferCompleted())
    shop.orders.add(order({ merchant: 'a' }))
    shop.orders.add(order({ merchant: 'b' }))
    const key = { reference: 'order-1', merchant: 'a' }
    expect(await shop.payments.orderCreated('order-1')).toBe(0)
    expect(await shop.payments.orderCreated(key)).toBe(1)
    await shop.settle()
    expect(shop.runs.map(([merchant]) => merchant)).toEqual(['a'])
    expect(
      await createOperator({ payments: shop.payments }).reprocess({ merchant: 'b' }, { by: 'ann' }),
    ).toBe(1)
    await shop.settle()
    expect(shop.runs.map(([merchant]) => merchant)).toEqual(['a', 'b'])
  })

  it.each([undefined, '', 'b'])(
    'S65 reject an order of the merchant %j that a repository returns for another one',
    async (merchant) => {
      const orders = memoryOrderRepository([order({ merchant })])
      const complete: string[] = []
      const shop = openMerchants([], {
        orders: {
          ...orders,
          find: () => orders.find({ reference: 'order-1', merchant }),
          complete: (...call) => {
            complete.push(call[0].reference)
            return orders.complete(...call)
          },
        },
      })
      expect(await shop.deliver('a', transferCompleted())).toBe('unavailable')
      expect(complete).toEqual([])
    },
  )
})

describe('idempotency keys', () => {
  const tricky: [merchant: string, reference: string, txHash: string][] = [
    ['', 'a:b:c', 'd'],
    ['a', 'b:c', 'd'],
    ['a:b', 'c', 'd'],
    ['a', 'b', 'c:d'],
    ['a', 'b","c', '","d'],
    ['a","b', 'c', 'd'],
    ['a/b', 'c', 'd'],
    ['a b', 'c', 'd'],
    ['a|b', 'c', 'd'],
    ['a\\', '","b', 'd'],
  ]

  it('S83 never collide, whatever separators references and merchants contain', async () => {
    const keys: string[] = []
    const paid: unknown[] = []
    let merchant = ''
    const shop = openShop(
      tricky.map(([owner, reference]) => order({ merchant: owner, reference })),
      {
        secrets: () => ({ merchant, secrets: SECRET }),
        onPaid: {
          'ship:now': (event, context) => {
            keys.push(context.idempotencyKey)
            paid.push([context.merchant, event.order.reference, event.transfer.txHash])
          },
          ship: (_, context) => void keys.push(context.idempotencyKey),
        },
      },
    )
    for (const [owner, reference, txHash] of tricky) {
      merchant = owner
      expect(await shop.decide(transferCompleted({ reference, txHash }))).toBe('paid')
    }
    await shop.settle()
    expect(paid).toEqual(tricky)
    expect(new Set(keys).size).toBe(2 * tricky.length)
  })
})
