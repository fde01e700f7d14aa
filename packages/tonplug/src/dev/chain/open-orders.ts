import { createHash } from 'node:crypto'
import { canonicalAddress, formatUnits } from '@tonplug/core'
import type { SimulatedJetton } from '@tonplug/simulator'
import { explainError } from '../../explain-error.js'
import { onOneLine } from '../../table.js'
import { PageRequestError } from '../page-request-error.js'
import type { DevChain } from './dev-chain.js'
import { payLink, type Variant } from './pay-link.js'
import { readLink, type PaymentLink } from './payment-link.js'
import { linkOfRequest } from './request-link.js'
import { createShopDecisions, type ShopDecisions } from './shop-decisions.js'
import type { ShopStatus, ShopStatuses } from './shop-status.js'

const KEPT_ORDERS = 50
const KEPT_PAYMENTS = 50
const OVERDUE_MS = 10_000

/** A payment of an order. */
export interface OrderPayment {
  id: number
  variant: Variant
  /** Whole coins; null until it is sent. */
  amount: string | null
  ticker: string | null
  sender: string | null
  txHash: string | null
  atMs: number
  /** The reason why nothing was sent; null otherwise. */
  refusal: string | null
  /** The kind of the shop's last decision about it; null until the shop reports one. */
  decision: string | null
}

/** An order whose link was opened on the page. */
export interface OpenOrder {
  id: string
  link: string
  /** The comment, by which the shop finds the order; null without one. */
  reference: string | null
  /** Whole coins. */
  amount: string
  ticker: string
  recipient: string
  /** Null when the link never expires. */
  expiresAtMs: number | null
  shop: ShopStatus
  /** Newest first. */
  payments: OrderPayment[]
}

/** The orders of a page. */
export interface OpenOrders {
  /** Newest first. */
  list(): OpenOrder[]
  /**
   * Adds the order of a link, or of a request of TON Connect as JSON; an order that is known becomes the newest.
   * @throws {PageRequestError} for an invalid link or request
   */
  open(payment: string): OpenOrder
  /** Pays an order. Its result is part of the list. @throws {PageRequestError} when the order is unknown */
  pay(id: string, variant: Variant): Promise<void>
  /** Takes a decision of the shop about a payment. @param txHash of any of its transactions, in hex */
  decided(txHash: string, kind: string): void
  /** Returns true when the shop has had time to report a decision, and has reported none. */
  isDecisionOverdue(): boolean
}

interface Entry {
  order: OpenOrder
  link: PaymentLink
}

const UNKNOWN: ShopStatus = { status: null, problem: null }

/** Creates an empty list. @param onChange called after each change */
export function createOpenOrders(
  dev: DevChain,
  statuses: ShopStatuses,
  onChange: () => void,
): OpenOrders {
  const entries = new Map<string, Entry>()
  const decisions = createShopDecisions(dev)
  let newestPayment = 0
  // By the clock of this machine: the chain can be moved on.
  let firstPaidMs: number | undefined

  const add = (text: string): OpenOrder => {
    const link = readLink(text)
    const order = describe(dev, text, link)
    entries.set(order.id, { order, link })
    const [oldest] = entries.keys()
    if (entries.size > KEPT_ORDERS && oldest !== undefined) entries.delete(oldest)
    if (order.reference === null) return order
    statuses.follow(order.reference, (status) => {
      order.shop = status
      onChange()
    })
    return order
  }

  return {
    list: () => [...entries.values()].map(({ order }) => withDecisions(order, decisions)).reverse(),
    decided(txHash, kind) {
      decisions.add(txHash, kind)
      onChange()
    },
    isDecisionOverdue: () =>
      !decisions.hasAny() && firstPaidMs !== undefined && Date.now() - firstPaidMs >= OVERDUE_MS,
    open(payment) {
      const pasted = payment.trim()
      const text = pasted.startsWith('{') ? linkOfRequest(pasted) : pasted
      const known = entries.get(idOf(text))
      if (known !== undefined) {
        entries.delete(known.order.id)
        entries.set(known.order.id, known)
      }
      const order = known?.order ?? add(text)
      onChange()
      return order
    },
    async pay(id, variant) {
      const entry = entries.get(id)
      if (entry === undefined) throw new PageRequestError(404, 'This order is not open.')
      const { order, link } = entry
      const record = (facts: Partial<OrderPayment>): void => {
        const payment = { ...NOT_SENT, atMs: Date.now(), ...facts }
        order.payments.unshift({ ...payment, id: ++newestPayment, variant })
        order.payments.splice(KEPT_PAYMENTS)
        onChange()
      }
      try {
        for (const { paid, ...facts } of await dev.enqueue(() => payLink(dev, link, variant))) {
          // Shops decide nothing about a payment that names no order.
          if (variant !== 'no-comment') firstPaidMs ??= Date.now()
          record({ ...facts, ...amountOf(dev, paid) })
        }
      } catch (error) {
        record({ refusal: onOneLine(explainError(error)) })
      }
    },
  }
}

const NOT_SENT = {
  amount: null,
  ticker: null,
  sender: null,
  txHash: null,
  refusal: null,
  decision: null,
}

/** Decisions may come before the payment is recorded. */
function withDecisions(order: OpenOrder, decisions: ShopDecisions): OpenOrder {
  const payments = order.payments.map((payment) => ({
    ...payment,
    decision: decisions.of(payment.txHash),
  }))
  return { ...order, payments }
}

function describe(dev: DevChain, text: string, link: PaymentLink): OpenOrder {
  const { recipient, text: reference = null, expiresAt } = link
  return {
    id: idOf(text),
    link: text,
    reference,
    ...amountOf(dev, link),
    recipient,
    expiresAtMs: expiresAt === undefined ? null : expiresAt * 1000,
    shop: UNKNOWN,
    payments: [],
  }
}

function idOf(link: string): string {
  return createHash('sha256').update(link).digest('hex').slice(0, 16)
}

function amountOf(
  { accounts: { usdt }, forged }: DevChain,
  { rawAmount, jetton }: PaymentLink,
): { amount: string; ticker: string } {
  if (jetton === undefined) return { amount: formatUnits(rawAmount, 9), ticker: 'TON' }
  if (isMaster(usdt, jetton)) {
    return { amount: formatUnits(rawAmount, usdt.decimals), ticker: usdt.symbol }
  }
  if (isMaster(forged, jetton)) {
    return { amount: formatUnits(rawAmount, forged.decimals), ticker: `forged ${forged.symbol}` }
  }
  return { amount: `${rawAmount}`, ticker: 'base units of another jetton' }
}

/** Links may have an address in any format. */
function isMaster({ master }: SimulatedJetton, address: string): boolean {
  return canonicalAddress(address) === canonicalAddress(master.toRawString())
}
