import { createHash } from 'node:crypto'
import type { Inbox, Order, StoredCredit } from '@tonplug/core'
import { toHex, type ChainTrace, type ChainTransaction } from './chain.js'
import { placeOf, type EventOf, type Lie, type ShopPlace } from './events.js'
import type { HandlerRun, ShopStores } from './shop-process.js'
import type { SentRefund } from './shop-wallet.js'

const CREDIT_ID_DIGITS = 32
/** More decisions than any report waits for. */
const MOST_DECISIONS = 100
const MOST_REPORTS = 10_000
/** Less than the time for which the watcher reads a payment again. */
const READ_AGAIN_MS = 9 * 60_000
/** Time after the end of a proposal in which the watcher claims the money of a refund that was sent late. */
const CLAIM_AGAIN_SECONDS = 5400

/** A payment as its buyer knows it. */
export interface SentPayment {
  payment: string
  /** The comment of its message. */
  reference: string
  rawAmount: bigint
  /** `'TON'` or the master of a jetton. */
  asset: string
  times: number
  payer: string
  /** The wallet that received it. */
  wallet: string
  /** The account of the credits: the wallet, or its jetton wallet. */
  account: string
  /** The hash of the body of the payer's message. */
  bodyHash: string
  trace: ChainTrace
  /** The lie of the shop's own index. The other fields are what it and the gateway state; a withheld payment is true. */
  lie: Lie | undefined
}

/** An order of a shop. */
interface PlacedOrder {
  /** See {@link placeOf}. */
  id: string
  shop: string
  /** Base units, by asset. */
  prices: ReadonlyMap<string, bigint>
  order: Order
}

/** A refund that a wallet has sent. */
export interface ChainRefund extends SentRefund {
  /** The end of its proposal, Unix seconds. */
  validUntil: number
  /** True if the wallet has sent it after this end: another proposal, or an order, may have the money. */
  isLate: boolean
  /** True if the payer has not accepted it, so that it came back. */
  isRefused: boolean
}

/** The stores of all shops at the end of a run. */
interface Stores {
  shops: ReadonlyMap<string, ShopStores>
  inbox: Inbox
  nowMs: number
}

/** The ends of orders, and the ledger. */
interface Ending {
  completed: readonly PlacedOrder[]
  /** Stored credits by their ids. */
  credits: ReadonlyMap<string, StoredCredit>
  nowMs: number
}

/**
 * Knows what every buyer sent, what every handler did and what was refunded, and checks what the shop promises. It shares no
 * code with the engine.
 */
export class Oracle {
  readonly problems: string[] = []
  readonly payments = new Map<string, SentPayment>()
  /** Payments by the transactions of their traces, in hex. */
  readonly #paidBy = new Map<string, SentPayment>()
  /** Orders by their ids. */
  readonly #orders = new Map<string, PlacedOrder>()
  readonly #runs = new Map<string, HandlerRun>()
  /** Refunds on the chain. */
  readonly #refunds: ChainRefund[] = []
  readonly #refunding = new Set<string>()
  /** Number of decisions about each report. */
  readonly #decisions = new Map<string, number>()
  readonly #assigned = new Set<string>()
  readonly #cancelled = new Set<string>()
  /** References whose payments an operator has decided again: each new decision is reported. */
  readonly #reprocessed = new Set<string>()
  /** Orders that an operator has accepted other amounts for. */
  readonly #accepted = new Set<string>()
  readonly #isAddingUp: boolean

  constructor(isAddingUp: boolean) {
    this.#isAddingUp = isAddingUp
  }

  sent(payment: SentPayment): void {
    this.payments.set(payment.payment, payment)
    for (const { hash } of payment.trace.transactions) this.#paidBy.set(toHex(hash), payment)
  }

  ordered({ shop = 'default', ...place }: ShopPlace, order: Order): void {
    const id = placeOf({ shop, ...place }, order.reference)
    const { offers = null, rawAmount = null, asset = null } = order
    const prices = new Map(
      (offers ?? [{ asset: asset ?? '', rawAmount: rawAmount ?? 0n }]).map((offer) => [
        offer.asset,
        offer.rawAmount,
      ]),
    )
    this.#orders.set(id, { id, shop, prices, order })
  }

  cancelled(event: EventOf<'cancel'>): void {
    this.#cancelled.add(placeOf(event, event.reference))
  }

  reprocessed(reference: string): void {
    this.#reprocessed.add(reference)
  }

  accepted(event: EventOf<'accept'>): void {
    this.#accepted.add(placeOf(event, event.reference))
    this.#reprocessed.add(event.reference)
  }

  assigned({ payment }: EventOf<'assign'>): void {
    this.#assigned.add(payment)
  }

  /** An operator has asked for a refund, which may not have been sent. */
  refunding({ payment }: EventOf<'refund'>): void {
    this.#refunding.add(payment)
  }

  /** Checks that no refund is proposed when the index has shown one of the same money before the operator asked. */
  proposed(sent: SentPayment, askedAtMs: number): void {
    const { payment, rawAmount, times, lie } = sent
    if (lie !== undefined) this.#report(`a refund of ${payment} is proposed in spite of: ${lie}`)
    const shown = this.#refundsOf(sent).filter(
      ({ trace, isRefused }) =>
        !isRefused && trace.transactions.every((one) => one.indexedAtMs <= askedAtMs),
    )
    if (sumOf(shown.map((one) => one.rawAmount)) >= rawAmount * BigInt(times)) {
      this.#report(`a refund of ${payment} is proposed again after it was sent`)
    }
  }

  refunded(refund: ChainRefund): void {
    this.#refunds.push(refund)
  }

  /** Checks a run of a handler: one key belongs to one event of one transaction. */
  ran(run: HandlerRun): void {
    const known = this.#runs.get(run.key)
    if (known !== undefined && (known.event !== run.event || known.txHash !== run.txHash)) {
      this.#report(`one key is used for ${describe(known)} and ${describe(run)}`)
    }
    this.#runs.set(run.key, run)
  }

  /** Checks that a report is not decided again and again. */
  decided(reportId: string): void {
    const decisions = (this.#decisions.get(reportId) ?? 0) + 1
    this.#decisions.set(reportId, decisions)
    if (decisions === MOST_DECISIONS) this.#report(`${reportId} is decided again and again`)
  }

  /** Checks an order after each of its transitions: statuses only move forward. */
  changed(id: string, before: Order | null, after: Order | null): void {
    if (before === null || after === null) return
    const { status } = before
    const isEnd = status === 'completed' || status === 'cancelled'
    if (isEnd && after.status !== status) {
      this.#report(`${id} was ${status} and is ${after.status}`)
    }
    if (status === 'completed' && before.payment?.txHash !== after.payment?.txHash) {
      this.#report(`${id} has another payment than before`)
    }
  }

  /** Checks the promises when all work must be done. */
  async end({ shops, inbox, nowMs }: Stores): Promise<void> {
    const { undecided, open, ...stats } = await inbox.stats()
    const dead = stats.dead === 0 ? 0 : await this.#countDead(inbox)
    if (undecided + open + dead > 0) {
      this.#report(`unfinished work: ${undecided} undecided, ${open} open, ${dead} dead`)
    }
    const ids = [...this.payments.values()].flatMap(creditsOf)
    const stored = await inbox.credits.find({ ids })
    const completed: PlacedOrder[] = []
    for (const placed of this.#orders.values()) {
      const { id, shop, order } = placed
      const { reference, merchant = '' } = order
      const now = (await shops.get(shop)?.orders.find({ reference, merchant })) ?? undefined
      if (now?.status === 'completed') completed.push({ ...placed, order: now })
      this.#checkOrder(id, now)
    }
    const ending = { completed, credits: new Map(stored.map((one) => [one.id, one])), nowMs }
    for (const payment of this.payments.values()) {
      if (payment.lie === undefined) this.#checkPayment(payment, ending)
    }
    for (const payment of this.payments.values()) await this.#checkUnstored(payment, ending, inbox)
    for (const one of completed) this.#checkPaid(one, ending)
    this.#checkSums(completed)
  }

  /** Counts reports that nothing proceeds with. The proof of a payment that one index alone shows ends at its deadline. */
  async #countDead(inbox: Inbox): Promise<number> {
    const reports = await inbox.reports.list({ hasDeadTask: true, limit: MOST_REPORTS })
    return reports.filter(({ txHash }) => this.#paymentOf(txHash)?.lie === undefined).length
  }

  /** An order is paid at most once, and each completed one is reported. */
  #checkOrder(id: string, order: Order | undefined): void {
    const paid = this.#runsOf((run) => run.event === 'onPaid' && placeOf(run, run.reference) === id)
    if (paid.length > 1) this.#report(`${id} was paid ${paid.length} times`)
    const isPaid = order?.status === 'completed'
    if (isPaid && paid.length === 0) this.#report(`${id} is completed without onPaid`)
    if (!isPaid && paid.length > 0) this.#report(`onPaid ran for ${id}: ${order?.status}`)
  }

  /** A completed order uses its price of the money that buyers have sent, or less that an operator has accepted. */
  #checkPaid(placed: PlacedOrder, { credits }: Ending): void {
    const { id, shop, order } = placed
    const price = priceOf(placed)
    const sent = this.#paymentOf(order.payment?.txHash)
    if (sent === undefined) {
      this.#report(`${id} is completed by a payment that no buyer has sent`)
    } else if (sent.lie !== undefined) {
      this.#report(`${id} is completed by ${sent.payment}, on the word of one index: ${sent.lie}`)
    }
    const { reference, merchant = '' } = order
    const uses = [...credits.values()].flatMap((credit) => credit.uses)
    const used = uses
      .filter((use) => use.kind === 'order' && use.name === shop)
      .filter((use) => use.merchant === merchant && use.reference === reference)
      .reduce((sum, { rawAmount }) => sum + rawAmount, 0n)
    // None is used where a report has named the credit before the watcher, more where two credits have raced for the order.
    if (used > 0n && used < price && !this.#accepted.has(id)) {
      this.#report(`${id} is completed with ${used} of ${price}`)
    }
  }

  /** Checks that the money left after refunds is the price of the completed orders, or more. */
  #checkSums(completed: readonly PlacedOrder[]): void {
    const payments = [...this.payments.values()].filter(({ lie }) => lie === undefined)
    for (const asset of new Set(payments.map((one) => one.asset))) {
      let left = 0n
      for (const { rawAmount, times, ...one } of payments) {
        if (one.asset === asset) left += rawAmount * BigInt(times)
      }
      const refunds = this.#refunds.filter((one) => one.asset === asset && hasArrived(one))
      left -= sumOf(refunds.map((one) => one.rawAmount))
      for (const one of completed) {
        if (one.order.payment?.asset === asset && !this.#accepted.has(one.id)) left -= priceOf(one)
      }
      if (left < 0n) {
        this.#report(`${-left} more of ${asset} than all buyers have sent was shipped and refunded`)
      }
    }
  }

  /** Each unit of money has one use, and is reported once. */
  #checkPayment(sent: SentPayment, { completed, credits, nowMs }: Ending): void {
    const { payment, times, rawAmount } = sent
    const own = creditsOf(sent).flatMap((id) => credits.get(id) ?? [])
    for (const { uses } of own) {
      const used = sumOf(uses.map((use) => use.rawAmount))
      if (used > rawAmount) this.#report(`${payment} has uses of ${used} of ${rawAmount}`)
    }
    const paid = completed.filter(({ order }) => this.#paymentOf(order.payment?.txHash) === sent)
    const orders = paid.map(({ id }) => id)
    const sentBack = this.#refundsOf(sent)
    const refunds = sentBack.filter(hasArrived).map((one) => one.rawAmount)
    const prices = this.#isAddingUp ? [] : paid.map((one) => min(priceOf(one), rawAmount))
    if (sumOf([...prices, ...refunds]) > rawAmount * BigInt(times)) {
      const uses = [...orders, ...refunds.map(() => 'refund')]
      this.#report(`${payment} of ${times} credits has the uses ${uses.join(', ')}`)
    }
    const claimed = own.flatMap(({ uses }) => uses)
    if (own.length > 0 && sumOf(refunds) > sumOf(amountsOf(claimed, 'refund'))) {
      this.#report(`${payment} is refunded without a use`)
    }
    if (claimed.length === 0 && sentBack.some((one) => isLateAndKnown(one, nowMs))) {
      this.#report(`${payment} has no use after a refund that was sent late`)
    }
    this.#checkTold(sent, sentBack.length, amountsOf(claimed, 'order').length)
    this.#checkFound(sent, completed)
  }

  /** A jetton that no order asks for may have no credit, but nothing else can claim it after its refund. */
  async #checkUnstored(sent: SentPayment, { credits }: Ending, inbox: Inbox): Promise<void> {
    const ids = creditsOf(sent)
    if (ids.some((id) => credits.has(id)) || !this.#refundsOf(sent).some(hasArrived)) return
    const owner = { kind: 'order', name: 'oracle', merchant: '', reference: 'oracle' } as const
    const isFree = await inbox.credits.claim({
      ...owner,
      payments: ids.map((id) => `credit:${id}`),
    })
    if (isFree) this.#report(`${sent.payment} is refunded without a use`)
  }

  /** Money is reported once by each shop, and at least once in all. */
  #checkTold(sent: SentPayment, refunds: number, used: number): void {
    const { payment, times } = sent
    const runs = this.#runsOf(({ txHash }) => this.#paymentOf(txHash) === sent)
    const isMoved =
      this.#isAddingUp || this.#assigned.has(payment) || this.#reprocessed.has(sent.reference)
    const counted = runs.filter((run) => !this.#isReplaced(run, { sent, runs }))
    for (const shop of isMoved ? [] : new Set(counted.map((run) => run.shop))) {
      const isElsewhere = (run: HandlerRun): boolean => this.#isElsewhere(run, sent)
      const own = counted.filter((run) => run.shop === shop)
      const told = own.filter((run) => !isElsewhere(run))
      const elsewhere = own.filter(isElsewhere)
      if (elsewhere.length > times) {
        this.#report(`${payment} went to another wallet ${elsewhere.length} times`)
      }
      const unknown = count(told, 'onUnknownOrder')
      const other = count(told, 'onPaid', 'onExtraPayment', 'onMismatch')
      if (unknown > times) {
        this.#report(`${payment} of ${times} credits was unknown ${unknown} times`)
      }
      if (other > times) {
        this.#report(`${payment} of ${times} credits was reported ${other} times: ${list(told)}`)
      }
    }
    const told = runs.filter(({ event }) => event !== 'onFailed').length + refunds + used
    if (told < times && !this.#isUnasked(sent))
      this.#report(`${payment} of ${times} credits was reported ${told} times`)
  }

  /**
   * Returns true for a mismatch of an order whose own wallet has not received the payment. DESIGN 2.6 promises that a webhook is
   * believed only in its domain: it tells its merchant of a foreign wallet, and takes no credit from the order that the credit
   * names. DESIGN 2.3 promises one report of the credit besides it.
   */
  #isElsewhere(run: HandlerRun, { wallet }: SentPayment): boolean {
    const recipient = this.#orders.get(placeOf(run, run.reference))?.order.recipient
    return run.event === 'onMismatch' && recipient !== undefined && recipient !== wallet
  }

  /**
   * Returns true for bad news about the only order that had the comment of a payment, which then paid the order of another
   * merchant that was stored later. DESIGN 2.1 and 2.3 promise one use and one key: a body names an order more exactly than a
   * comment does, and the mismatch, or the extra payment, was true when it was reported.
   */
  #isReplaced(
    { event, shop, merchant, reference }: HandlerRun,
    { sent, runs }: { sent: SentPayment; runs: readonly HandlerRun[] },
  ): boolean {
    const paid = runs.find((run) => run.event === 'onPaid' && run.shop === shop)
    const isBadNews = event === 'onMismatch' || event === 'onExtraPayment'
    if (!isBadNews || paid === undefined || paid.reference !== reference) return false
    const order = this.#orders.get(placeOf(paid, reference))?.order
    const isLater = (order?.createdAt?.getTime() ?? 0) > paidMsOf(sent)
    return paid.merchant !== merchant && order?.bodyBase64Hash !== undefined && isLater
  }

  /** The exact amount for an order that is open, and that nothing else has the reference of, pays it. */
  #checkFound(sent: SentPayment, completed: readonly PlacedOrder[]): void {
    const { payment, reference, rawAmount, asset, wallet } = sent
    const named = [...this.#orders.values()].filter(({ order }) => order.reference === reference)
    const [only, ...others] = named
    if (only?.prices.get(asset) !== rawAmount || others.length > 0) return
    const { id, order } = only
    const isMoved = this.#assigned.has(payment) || this.#refundsOf(sent).length > 0
    const isOther = order.recipient !== undefined && order.recipient !== wallet
    if (isMoved || isOther || this.#cancelled.has(id) || this.#refunding.has(payment)) return
    const isOlder = paidMsOf(sent) < (order.createdAt?.getTime() ?? 0)
    if (isOlder && order.bodyBase64Hash === undefined) return
    if (completed.some((one) => one.id === id)) return
    this.#report(`${payment} for ${id} was not found`)
  }

  /**
   * Anyone can send jettons that no order asks for, and that name none of the wallet: a shop ignores them. An order that is
   * placed when the watcher no longer reads the payment does not count.
   */
  #isUnasked(sent: SentPayment): boolean {
    const { asset, reference, wallet } = sent
    const readUntilMs = paidMsOf(sent) + READ_AGAIN_MS
    const isNamed = [...this.#orders.values()].some(
      ({ order }) =>
        order.reference === reference &&
        (order.recipient ?? wallet) === wallet &&
        (order.createdAt?.getTime() ?? 0) <= readUntilMs,
    )
    return asset !== 'TON' && !isNamed
  }

  /** Each payment has a payer of its own. */
  #refundsOf({ payer, asset }: SentPayment): ChainRefund[] {
    return this.#refunds.filter((one) => one.payer === payer && one.asset === asset)
  }

  #runsOf(matches: (run: HandlerRun) => boolean): HandlerRun[] {
    return [...this.#runs.values()].filter(matches)
  }

  #paymentOf(txHash: string | undefined): SentPayment | undefined {
    return txHash === undefined ? undefined : this.#paidBy.get(txHash)
  }

  #report(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

/** Returns true for money that is back at its payer. Refunds that were sent late do not count: no rule can prevent them. */
function hasArrived({ isLate, isRefused }: ChainRefund): boolean {
  return !isLate && !isRefused
}

function isLateAndKnown(
  { isLate, isRefused, validUntil, trace }: ChainRefund,
  nowMs: number,
): boolean {
  const sentAt = trace.transactions[0]?.utime ?? 0
  return isLate && !isRefused && nowMs / 1000 > Math.max(validUntil, sentAt) + CLAIM_AGAIN_SECONDS
}

function paidMsOf({ trace }: SentPayment): number {
  return (trace.transactions[0]?.utime ?? 0) * 1000
}

/** Returns the transactions that received a payment: one for each credit. */
export function receiptsOf({ trace, account }: SentPayment): ChainTransaction[] {
  return trace.transactions.filter((one) => one.account === account)
}

/** Returns the price of a completed order, in the asset that paid it. */
function priceOf({ prices, order }: PlacedOrder): bigint {
  return prices.get(order.payment?.asset ?? '') ?? 0n
}

/** Returns the ids of a payment's credits. */
function creditsOf(sent: SentPayment): string[] {
  return receiptsOf(sent)
    .map(({ account, hash }) => JSON.stringify([account, toHex(hash), sent.asset]))
    .map((key) => createHash('sha256').update(key).digest('hex').slice(0, CREDIT_ID_DIGITS))
}

function amountsOf(uses: StoredCredit['uses'], kind: 'order' | 'refund'): bigint[] {
  return uses.filter((use) => use.kind === kind).map(({ rawAmount }) => rawAmount)
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

function count(runs: readonly HandlerRun[], ...events: readonly string[]): number {
  return runs.filter(({ event }) => events.includes(event)).length
}

function describe(run: HandlerRun): string {
  return `${run.event} ${placeOf(run, run.reference)} ${run.txHash.slice(0, 8)}`
}

function list(runs: readonly HandlerRun[]): string {
  return runs.map(describe).join('; ')
}
