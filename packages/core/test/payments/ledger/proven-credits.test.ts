import { comment, internal, toNano } from '@ton/core'
import {
  memoryInbox,
  memoryOrderRepository,
  type Inbox,
  type MemoryOrderRepository,
  type TransferData,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { walletV4 } from '@tonplug/simulator'
import { describe, expect, it } from 'vitest'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { createDrivenClock } from '../../toncenter/sending/driven-clock.js'
import { bodyOf, claimOf, createPayer, deployJetton, orderFor } from '../proof/payer.js'
import { openProofShop, type ProofShopOptions } from '../proof/proof-shop.js'

const ours = walletV4(90).wallet.address
const wallets = [ours.toString()]
const PRICE = toNano(1)
const SURPLUS = toNano('0.2')
const ANN = { by: 'ann' }

/** Opens a shop with a webhook receiver and a proof, without a watcher. */
async function openProven(options: Partial<ProofShopOptions> = {}) {
  const { chain, v3Server } = await serveChain()
  const payer = await createPayer(chain, 80)
  const repository = options.repository ?? memoryOrderRepository()
  const shop = openProofShop({ url: v3Server.url, orders: [], wallets, repository, ...options })
  const v3 = createV3Client({
    transport: createTransport({ baseUrl: v3Server.url, rps: Infinity }),
  })
  const lastHash = () => chain.transactions.at(-1)?.transaction.hash().toString('hex') ?? ''
  return {
    ...shop,
    chain,
    payer,
    repository,
    lastHash,
    operator: createOperator({ payments: shop.payments, v3 }),
    creditsOf: (txHash: string) => shop.inbox.credits.find({ hashes: [txHash] }),
    /** Returns who has used each credit of a transaction's trace, and how much of it. */
    uses: async (txHash: string) =>
      (await shop.inbox.credits.find({ hashes: [txHash] })).map(({ uses }) =>
        uses.map(({ kind, reference, rawAmount }) =>
          kind === 'order' ? `${reference} ${rawAmount}` : `refund ${rawAmount}`,
        ),
      ),
  }
}

/** Adds an order that a transfer pays with a surplus. */
function addOrder(orders: MemoryOrderRepository, transfer: TransferData, changes = {}): void {
  orders.add({ ...orderFor(transfer), rawAmount: PRICE, ...changes })
}

describe('a proof without a watcher', () => {
  it('S134 records the credit: the order uses its price, and a refund the surplus', async () => {
    const shop = await openProven({ payments: { amounts: { overpaid: 'accept' } } })
    const value = PRICE + SURPLUS
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value })
    addOrder(shop.repository, paid)
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid', surplus: `${SURPLUS}` })
    expect(await shop.creditsOf(paid.txHash)).toMatchObject([
      { rawAmount: value, wallet: ours.toRawString() },
    ])
    expect(await shop.uses(paid.txHash)).toEqual([[`order-1 ${PRICE}`]])
    const [listed] = await shop.operator.list()
    expect(await shop.operator.inspect(listed!.reportId)).toMatchObject({
      received: [{ asset: 'TON', rawAmount: PRICE }],
    })
    const asked = { transactionHash: paid.txHash }
    const refunds = await Promise.all([1, 2, 3].map(() => shop.operator.refund(asked, ANN)))
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting', 'waiting'])
    expect(refunds.find(({ state }) => state === 'proposed')).toMatchObject({
      request: { messages: [{ amount: `${SURPLUS}` }] },
    })
    expect(await shop.uses(paid.txHash)).toEqual([[`order-1 ${PRICE}`, `refund ${SURPLUS}`]])
  })

  it('S133 records the money of a cancelled order, which nothing uses', async () => {
    const shop = await openProven()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    addOrder(shop.repository, paid, { status: 'cancelled' })
    expect(await shop.decide(paid)).toMatchObject({ kind: 'paid_after_cancel' })
    expect(await shop.uses(paid.txHash)).toEqual([[]])
  })

  it('S82 pays an order with no money that names another order, before or after that one is paid', async () => {
    const shop = await openProven()
    const body = comment('order-2')
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE, body })
    addOrder(shop.repository, paid)
    addOrder(shop.repository, { ...paid, reference: 'order-2' })
    const told = { ...paid, commentToRecipient: 'order-2' }
    expect(await shop.decide(told)).toMatchObject({ kind: 'unverified', reason: 'reused' })
    expect(await shop.decide({ ...told, reference: 'order-2' })).toMatchObject({ kind: 'paid' })
    expect(await shop.uses(paid.txHash)).toEqual([[`order-2 ${PRICE}`]])
  })

  it.each(['true', 'forged'] as const)(
    'S118 gives a credit to the merchant whose order it names when the first webhook is %s',
    async (first) => {
      const shop = await openProven()
      const body = comment('order-1')
      const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE, body })
      addOrder(shop.repository, paid, { merchant: 'a' })
      addOrder(shop.repository, { ...paid, reference: 'order-2' }, { merchant: 'b' })
      const deliver = (merchant: string, reference: string) =>
        shop.run(
          new Promise<string>((resolve) => {
            const end = shop.payments.onDecision(({ decision, transfer }) => {
              if (decision.kind === 'verifying' || transfer.reference !== reference) return
              end()
              resolve(decision.kind)
            })
            const transfer = { ...paid, reference }
            const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
            void shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer })
          }),
        )
      const steps = [() => deliver('a', 'order-1'), () => deliver('b', 'order-2')]
      const kinds: string[] = []
      for (const step of first === 'true' ? steps : steps.toReversed()) kinds.push(await step())
      expect(kinds.toSorted()).toEqual(['paid', 'unverified'])
      expect(await shop.uses(paid.txHash)).toEqual([[`order-1 ${PRICE}`]])
      expect(await shop.creditsOf(paid.txHash)).toMatchObject([{ order: { merchant: 'a' } }])
    },
  )

  it('S118 names no order by a reference that two merchants have', async () => {
    const shop = await openProven()
    const body = comment('order-1')
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE, body })
    for (const merchant of ['a', 'b']) addOrder(shop.repository, paid, { merchant })
    const rawBody = JSON.stringify({ event: 'transfer.completed', data: paid })
    const report = { merchant: 'a', source: 'webhook', rawBody, transfer: paid } as const
    expect(await shop.payments.submit(report)).toMatchObject({ kind: 'verifying' })
    await shop.clock.advance(10_000)
    await expect
      .poll(async () => (await shop.orders.find({ reference: 'order-1', merchant: 'a' }))?.status)
      .toBe('completed')
    const [credit] = await shop.creditsOf(paid.txHash)
    expect(credit).toMatchObject({ uses: [] })
    expect(credit?.order).toBeUndefined()
  })
})

/** Opens a shop that notes the events of money that fits no order. */
async function openTelling(options: Partial<ProofShopOptions> = {}) {
  const events: string[] = []
  const shop = await openProven({
    ...options,
    payments: {
      onExtraPayment: ({ order, transfer }) =>
        void events.push(`extra ${order.reference} ${transfer.rawAmount}`),
      onMismatch: ({ order, totalReceived }) =>
        void events.push(`mismatch ${order.reference} ${totalReceived}`),
      onUnknownOrder: ({ transfer }) => void events.push(`unknown ${transfer.reference}`),
      ...options.payments,
    },
  })
  const settle = async () => {
    for (let turn = 0; turn < 20; turn++) {
      await shop.clock.advance(500)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    ...shop,
    events,
    /** Delivers a webhook of the last payment for each of its two names. */
    async deliverTwice(transfer: TransferData) {
      const names = [transfer.txHash, shop.lastHash()]
      for (const txHash of names) await shop.run(shop.send({ ...transfer, txHash }))
      await settle()
    },
    settle,
  }
}

/** Makes two equal payments in one transaction of the payer. @returns the transfer that a webhook reports */
async function payTwice({ payer }: Awaited<ReturnType<typeof openTelling>>): Promise<TransferData> {
  const body = bodyOf('order-1')
  const message = () => internal({ to: ours, value: PRICE, bounce: false, body })
  const root = await payer.send([message(), message()])
  const sender = payer.address
  return claimOf(root, { reference: 'order-1', sender, to: ours, amount: PRICE, body })
}

describe('a proof without a watcher, about money that fits no order', () => {
  it('S115 reports one extra payment that two webhooks name differently', async () => {
    const shop = await openTelling()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    addOrder(shop.repository, paid)
    await shop.deliverTwice(paid)
    expect([shop.shipped, shop.events]).toEqual([['order-1'], []])
    const again = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    await shop.deliverTwice(again)
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
    const asked = [again.txHash, shop.lastHash()]
    const refunds = await Promise.all(
      asked.map((transactionHash) => shop.operator.refund({ transactionHash }, ANN)),
    )
    expect(refunds.map(({ state }) => state).toSorted()).toEqual(['proposed', 'waiting'])
  })

  it('S119 reports the second of two payments in one transaction of the payer', async () => {
    const shop = await openTelling()
    const paid = await payTwice(shop)
    addOrder(shop.repository, paid)
    await shop.run(shop.send(paid))
    await shop.settle()
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
    const uses = (await shop.uses(paid.txHash)).map((one) => one.join())
    expect(uses.toSorted()).toEqual(['', `order-1 ${PRICE}`])
  })

  it.each([1, 2])(
    'S119 uses one of two payments and reports the other after an outage of the orders, named by %i webhooks',
    async (count) => {
      const repository = memoryOrderRepository()
      let isDown = true
      const complete: MemoryOrderRepository['complete'] = async (key, payment) => {
        if (isDown) throw new Error('down')
        return repository.complete(key, payment)
      }
      const orders = { ...repository, complete }
      const shop = await openTelling({ repository, payments: { orders } })
      const paid = await payTwice(shop)
      addOrder(repository, paid)
      const names = [paid.txHash, shop.lastHash()].slice(0, count)
      for (const txHash of names) await shop.run(shop.send({ ...paid, txHash }))
      // Longer than a report may stay undecided.
      for (const _ of Array(4)) await shop.settle()
      expect([shop.shipped, shop.events]).toEqual([[], []])
      isDown = false
      await shop.clock.advance(300_000)
      for (const _ of Array(4)) await shop.settle()
      expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
      const uses = (await shop.uses(paid.txHash)).map((one) => one.join())
      expect(uses.toSorted()).toEqual(['', `order-1 ${PRICE}`])
    },
  )

  it('S119 reports the second of two payments after an outage that began when the order was paid', async () => {
    let isDown = true
    const clocked = createDrivenClock()
    const memory = memoryInbox({ clock: clocked.clock })
    const store: Inbox['reports']['store'] = async (report) => {
      if (isDown && report.source === 'chain') throw new Error('down')
      return memory.reports.store(report)
    }
    const inbox = { ...memory, reports: { ...memory.reports, store } }
    const shop = await openTelling({ inbox, driven: clocked })
    const paid = await payTwice(shop)
    addOrder(shop.repository, paid)
    await shop.run(shop.send(paid))
    await shop.settle()
    expect([shop.shipped, shop.events]).toEqual([['order-1'], []])
    isDown = false
    await shop.clock.advance(300_000)
    await shop.settle()
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`extra order-1 ${PRICE}`]])
  })

  it('S116 reports one mismatch, and counts it once', async () => {
    const shop = await openTelling()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE / 2n })
    addOrder(shop.repository, paid)
    await shop.deliverTwice(paid)
    expect(shop.events).toEqual([`mismatch order-1 ${PRICE / 2n}`])
  })

  it.each([
    ['mismatch', PRICE / 2n],
    ['extra', PRICE],
  ])(
    'S116 reports one %s to a merchant that two webhooks name differently',
    async (kind, value) => {
      const shop = await openTelling()
      for (const count of [1, 2]) {
        if (count === 2 && kind === 'mismatch') continue
        const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value })
        if (count === 1) {
          addOrder(shop.repository, paid, { merchant: 'a', bodyBase64Hash: undefined })
        }
        for (const txHash of [paid.txHash, shop.lastHash()]) {
          const transfer = { ...paid, txHash }
          const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
          await shop.payments.submit({ merchant: 'a', source: 'webhook', rawBody, transfer })
          await shop.settle()
        }
      }
      expect(shop.events).toEqual([`${kind} order-1 ${value}`])
    },
  )

  it('S132 adds parts up that webhooks report', async () => {
    const shop = await openTelling({ payments: { amounts: { partial: 'add-up' } } })
    for (const part of [1, 2]) {
      const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE / 2n })
      if (part === 1) addOrder(shop.repository, paid)
      await shop.deliverTwice(paid)
    }
    expect([shop.shipped, shop.events]).toEqual([['order-1'], [`mismatch order-1 ${PRICE / 2n}`]])
  })

  it('S117 reports a jetton once that no order asks for', async () => {
    const shop = await openTelling()
    const jetton = await deployJetton(shop.chain, shop.payer)
    await jetton.mint(shop.payer.address, 100n)
    const paid = await jetton.pay(shop.payer, { reference: 'order-9', to: ours, amount: 40n })
    await shop.deliverTwice(paid)
    expect(shop.events).toEqual(['unknown order-9'])
    expect(await shop.creditsOf(paid.txHash)).toMatchObject([{ rawAmount: 40n }])
  })

  it('S118 reports money for the order that it names, and not for the order of a forged webhook', async () => {
    const shop = await openTelling()
    const [value, body] = [PRICE / 2n, comment('order-1')]
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value, body })
    addOrder(shop.repository, paid, { merchant: 'a' })
    addOrder(shop.repository, { ...paid, reference: 'order-2' }, { merchant: 'b' })
    for (const [merchant, reference] of [
      ['b', 'order-2'],
      ['a', 'order-1'],
    ] as const) {
      const transfer = { ...paid, reference }
      const rawBody = JSON.stringify({ event: 'transfer.completed', data: transfer })
      await shop.payments.submit({ merchant, source: 'webhook', rawBody, transfer })
      await shop.settle()
    }
    expect(shop.events).toEqual([`mismatch order-1 ${value}`])
  })

  it('S116 reports no money that the chain does not show', async () => {
    const shop = await openTelling()
    const paid = await shop.payer.pay({ reference: 'order-1', to: ours, value: PRICE })
    addOrder(shop.repository, paid)
    await shop.run(shop.send({ ...paid, rawAmount: '5' }))
    await shop.settle()
    expect(shop.events).toEqual([])
    const listed = await shop.operator.list()
    expect(listed).toMatchObject([{ action: 'wait', decision: { kind: 'amount_mismatch' } }])
  })
})
