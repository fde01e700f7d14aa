import type { InboxStats, Order, OrderRepository } from '@tonplug/core'
import { toHex, type ChainTrace } from './chain.js'
import type { HandlerRun } from './shop-process.js'

/** A payment as its buyer knows it. */
export interface SentPayment {
  payment: string
  /** The comment of its message. */
  reference: string
  rawAmount: bigint
  times: number
  payer: string
  trace: ChainTrace
}

/**
 * Knows what every buyer sent, what every handler did and what was refunded, and checks what the shop promises. It shares no
 * code with the engine.
 */
export class Oracle {
  readonly problems: string[] = []
  readonly payments = new Map<string, SentPayment>()
  readonly #orders = new Map<string, Order>()
  readonly #runs = new Map<string, HandlerRun>()
  /** Refunds on the chain, by payer. */
  readonly #refunds = new Map<string, bigint[]>()
  readonly #assigned = new Set<string>()
  readonly #cancelled = new Set<string>()
  /** References whose payments an operator has decided again: each new decision is reported. */
  readonly #reprocessed = new Set<string>()

  sent(payment: SentPayment): void {
    this.payments.set(payment.payment, payment)
  }

  ordered(order: Order): void {
    this.#orders.set(order.reference, order)
  }

  cancelled(reference: string): void {
    this.#cancelled.add(reference)
  }

  reprocessed(reference: string): void {
    this.#reprocessed.add(reference)
  }

  assigned(payment: string): void {
    this.#assigned.add(payment)
  }

  refunded(payer: string, amount: bigint): void {
    this.#refunds.set(payer, [...(this.#refunds.get(payer) ?? []), amount])
  }

  /** Checks a run of a handler: one key belongs to one event of one transaction. */
  ran(run: HandlerRun): void {
    const known = this.#runs.get(run.key)
    if (known !== undefined && (known.event !== run.event || known.txHash !== run.txHash)) {
      this.#report(`one key is used for ${describe(known)} and ${describe(run)}`)
    }
    this.#runs.set(run.key, run)
  }

  /** Checks an order after each of its transitions: statuses only move forward. */
  changed(before: Order | null, after: Order | null): void {
    if (before === null || after === null) return
    const { reference, status } = before
    const isEnd = status === 'completed' || status === 'cancelled'
    if (isEnd && after.status !== status) {
      this.#report(`${reference} was ${status} and is ${after.status}`)
    }
    if (status === 'completed' && before.payment?.txHash !== after.payment?.txHash) {
      this.#report(`${reference} has another payment than before`)
    }
  }

  /** Checks the promises when all work must be done. */
  async end(repository: Pick<OrderRepository, 'find'>, stats: InboxStats): Promise<void> {
    const { undecided, open, dead } = stats
    if (undecided + open + dead > 0) {
      this.#report(`unfinished work: ${undecided} undecided, ${open} open, ${dead} dead`)
    }
    const completed: Order[] = []
    for (const { reference } of this.#orders.values()) {
      const order = await repository.find({ reference, merchant: '' })
      if (order?.status === 'completed') completed.push(order)
      this.#checkOrder(reference, order)
    }
    for (const payment of this.payments.values()) this.#checkPayment(payment, completed)
    for (const order of completed) {
      if (this.#paymentOf(order.payment?.txHash) === undefined) {
        this.#report(`${order.reference} is completed by a payment that no buyer has sent`)
      }
    }
  }

  /** An order is paid at most once, and each completed one is reported. */
  #checkOrder(reference: string, order: Order | null): void {
    const paid = this.#runsOf((run) => run.event === 'onPaid' && run.reference === reference)
    if (paid.length > 1) this.#report(`${reference} was paid ${paid.length} times`)
    const isPaid = order?.status === 'completed'
    if (isPaid && paid.length === 0) this.#report(`${reference} is completed without onPaid`)
    if (!isPaid && paid.length > 0) this.#report(`onPaid ran for ${reference}: ${order?.status}`)
  }

  /** Each unit of money has one use, and is reported once. */
  #checkPayment(sent: SentPayment, completed: readonly Order[]): void {
    const { payment, payer, times, rawAmount } = sent
    const orders = completed.filter(({ payment: one }) => this.#paymentOf(one?.txHash) === sent)
    const refunds = this.#refunds.get(payer) ?? []
    const uses = [...orders.map(({ reference }) => reference), ...refunds.map(() => 'refund')]
    if (uses.length > times) {
      this.#report(`${payment} of ${times} credits has the uses ${uses.join(', ')}`)
    }
    if (refunds.some((amount) => amount > rawAmount))
      this.#report(`${payment} is refunded too much`)
    const runs = this.#runsOf(({ txHash }) => this.#paymentOf(txHash) === sent)
    const of = (...events: string[]): number =>
      runs.filter(({ event }) => events.includes(event)).length
    const unknown = of('onUnknownOrder')
    const other = of('onPaid', 'onExtraPayment', 'onMismatch')
    const isMoved = this.#assigned.has(payment) || this.#reprocessed.has(sent.reference)
    if (unknown > times && !isMoved)
      this.#report(`${payment} of ${times} credits was unknown ${unknown} times`)
    if (other > times && !isMoved) {
      this.#report(`${payment} of ${times} credits was reported ${other} times: ${list(runs)}`)
    }
    const told = unknown + other + of('onUnverified') + refunds.length
    if (told < times) this.#report(`${payment} of ${times} credits was reported ${told} times`)
    this.#checkExact(sent, orders)
  }

  /** The exact amount for an order that is open pays it. */
  #checkExact(sent: SentPayment, orders: readonly Order[]): void {
    const order = this.#orders.get(sent.reference)
    if (order === undefined || sent.rawAmount !== order.rawAmount || orders.length > 0) return
    const { reference } = sent
    if (this.#cancelled.has(reference) || (this.#refunds.get(sent.payer) ?? []).length > 0) return
    const isTold = this.#runsOf(({ txHash }) => this.#paymentOf(txHash) === sent).length > 0
    if (!isTold) this.#report(`${sent.payment} for ${reference} was not found`)
  }

  #runsOf(matches: (run: HandlerRun) => boolean): HandlerRun[] {
    return [...this.#runs.values()].filter(matches)
  }

  #paymentOf(txHash: string | undefined): SentPayment | undefined {
    return [...this.payments.values()].find(({ trace }) =>
      trace.transactions.some(({ hash }) => toHex(hash) === txHash),
    )
  }

  #report(problem: string): void {
    if (!this.problems.includes(problem)) this.problems.push(problem)
  }
}

function describe({ event, reference, txHash }: HandlerRun): string {
  return `${event} ${reference} ${txHash.slice(0, 8)}`
}

function list(runs: readonly HandlerRun[]): string {
  return runs.map(describe).join('; ')
}
