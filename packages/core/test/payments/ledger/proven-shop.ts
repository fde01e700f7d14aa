import { internal, toNano } from '@ton/core'
import {
  memoryOrderRepository,
  type HandlerContext,
  type MemoryOrderRepository,
  type TransferData,
} from '@tonplug/core'
import { createOperator } from '@tonplug/core/operator'
import { createTransport, createV3Client } from '@tonplug/core/toncenter'
import { walletV4 } from '@tonplug/simulator'
import { serveChain } from '../../toncenter/chain/served-chain.js'
import { bodyOf, claimOf, createPayer, orderFor } from '../proof/payer.js'
import { openProofShop, type ProofShopOptions } from '../proof/proof-shop.js'

export const ours = walletV4(90).wallet.address
const wallets = [ours.toString()]
export const PRICE = toNano(1)

/** Opens a shop with a webhook receiver and a proof, without a watcher. */
export async function openProven(options: Partial<ProofShopOptions> = {}) {
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
    /** Opens another process of the shop. @param own its handlers */
    openOther: (own: ProofShopOptions['payments'] = options.payments) =>
      openProofShop({
        url: v3Server.url,
        orders: [],
        wallets,
        repository,
        inbox: shop.inbox,
        driven: options.driven,
        payments: own,
      }),
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
export function addOrder(
  orders: MemoryOrderRepository,
  transfer: TransferData,
  changes = {},
): void {
  orders.add({ ...orderFor(transfer), rawAmount: PRICE, ...changes })
}

/** Opens a shop that notes the events of money that fits no order. */
export async function openTelling(options: Partial<ProofShopOptions> = {}) {
  const events: string[] = []
  const keys = new Set<string>()
  const note = (event: string, { idempotencyKey }: HandlerContext): void => {
    events.push(event)
    keys.add(idempotencyKey)
  }
  const payments: ProofShopOptions['payments'] = {
    onExtraPayment: ({ order, transfer }, context) =>
      note(`extra ${order.reference} ${transfer.rawAmount}`, context),
    onMismatch: ({ order, totalReceived }, context) =>
      note(`mismatch ${order.reference} ${totalReceived}`, context),
    onUnknownOrder: ({ transfer }, context) => note(`unknown ${transfer.reference}`, context),
    ...options.payments,
  }
  const shop = await openProven({ ...options, payments })
  const settle = () => shop.pass(10_000)
  return {
    ...shop,
    events,
    /** The idempotency keys of the events. */
    keys,
    openOther: () => shop.openOther(payments),
    /** Delivers a webhook of the last payment for each of its two names. */
    async deliverTwice(transfer: TransferData) {
      const names = [transfer.txHash, shop.lastHash()]
      for (const txHash of names) await shop.run(shop.send({ ...transfer, txHash }))
      await settle()
    },
    settle,
  }
}

/**
 * Makes two equal payments in one transaction of the payer.
 * @returns the transfers that webhooks may report: one that names the first transaction, and one for each credit
 */
export async function payTwice({ payer }: Awaited<ReturnType<typeof openTelling>>, amount = PRICE) {
  const body = bodyOf('order-1')
  const message = () => internal({ to: ours, value: amount, bounce: false, body })
  const root = await payer.send([message(), message()])
  const sender = payer.address
  const paid = claimOf(root, { reference: 'order-1', sender, to: ours, amount, body })
  const [first = '', second = ''] = root.children.map(({ transaction }) =>
    transaction.hash().toString('hex'),
  )
  return [paid, { ...paid, txHash: first }, { ...paid, txHash: second }] as const
}
