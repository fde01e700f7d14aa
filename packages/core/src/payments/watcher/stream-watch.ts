import {
  readBody,
  readComment,
  readJettonNotification,
} from '../../toncenter/chain/message-body.js'
import { canonicalAddress } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { errorFacts } from '../../shared/error-facts.js'
import type { StreamEvent } from '../../toncenter/stream/events.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'
import type { ReportedTransactions, WatcherContext } from './reported-transactions.js'
import { isSameSet } from '../../shared/same-set.js'
import { ordersNamed, type OpenOrders, type WatchedKey } from './open-orders.js'
import { readBodyHash } from '../orders/body-hash.js'

const MAX_TRACES = 10_000

/**
 * Listens to a stream while this server watches. Nothing that it reports is trusted: it begins look-ups, and shows which
 * orders have a payment that is not final.
 */
export class StreamWatch {
  /** True while the stream reports what the wallets receive. */
  isConnected = false
  readonly #context: WatcherContext
  readonly #reported: ReportedTransactions
  #current: { wallets: ReadonlySet<string>; controller: AbortController } | undefined
  /** Orders whose payments were seen, by trace. */
  readonly #seen = new BoundedMap<string, WatchedKey[]>(MAX_TRACES)
  /** Traces whose orders may be newer than the list. */
  readonly #unlisted = new Set<string>()
  #listing: Promise<void> | undefined

  constructor(context: WatcherContext, reported: ReportedTransactions) {
    this.#context = context
    this.#reported = reported
  }

  /** Listens for these wallets from now on; stops without any. */
  listen(wallets: ReadonlySet<string>): void {
    const { stream, closing } = this.#context
    if (stream === undefined || isSameSet(wallets, this.#current?.wallets ?? new Set())) return
    this.isConnected = false
    this.#current?.controller.abort()
    this.#current = undefined
    if (wallets.size === 0 || closing.aborted) return
    const controller = new AbortController()
    this.#current = { wallets, controller }
    void this.#read(wallets, AbortSignal.any([closing, controller.signal]))
  }

  async #read(wallets: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    const { stream, logger } = this.#context
    const types = ['transactions', 'jettons_change'] as const
    const subscription = { types, addresses: [...wallets], minFinality: 'pending', signal } as const
    try {
      for await (const event of stream?.subscribe(subscription) ?? []) this.#take(event)
    } catch (error) {
      if (signal.aborted) return
      logger.error('stream of the watcher ended; it polls', { error: errorFacts(error) })
    }
    this.isConnected = false
  }

  #take(event: StreamEvent): void {
    switch (event.type) {
      case 'connected':
      case 'disconnected':
        this.isConnected = event.type === 'connected'
        this.#context.checkNow()
        return
      case 'missed':
        this.#context.lookSoon()
        return
      case 'transactions': {
        const credits = event.transactions.filter(isCredit)
        if (event.finality !== 'finalized') {
          void this.#addSeen(event.trace_external_hash_norm, credits)
          return
        }
        for (const { hash: transactionHash } of credits) this.#reported.add({ transactionHash })
        return
      }
      case 'trace_invalidated':
        this.#removeSeen(event.trace_external_hash_norm)
        return
      case 'jettons_change': {
        if (event.finality !== 'finalized') return
        const { address, last_transaction_lt: lt } = event.jetton
        this.#reported.add({ account: canonicalAddress(address), lt })
        return
      }
      default:
    }
  }

  /**
   * Records the open orders that the credits of a trace name; lists new orders if they name none. Neither amount nor jetton
   * wallet is verified. Never rejects.
   */
  async #addSeen(trace: string, credits: readonly Transaction[]): Promise<void> {
    if (credits.length === 0 || this.#addListed(trace, credits)) return
    this.#unlisted.add(trace)
    await (this.#listing ??= this.#listNew())
    if (this.#unlisted.delete(trace)) this.#addListed(trace, credits)
  }

  #addListed(trace: string, credits: readonly Transaction[]): boolean {
    const { memory, payments } = this.#context
    const named = credits.flatMap((one) => ordersNamedBy(one, memory.openOrders.index))
    if (named.length === 0) return false
    this.#seen.set(trace, named)
    for (const key of named) payments.setDetected(key, true)
    return true
  }

  async #listNew(): Promise<void> {
    // An unreachable repository is logged by the next run.
    await this.#context.memory.openOrders.addNew().catch(() => undefined)
    this.#listing = undefined
  }

  /** Takes back a trace that was not final. */
  #removeSeen(trace: string): void {
    this.#unlisted.delete(trace)
    for (const key of this.#seen.get(trace) ?? []) this.#context.payments.setDetected(key, false)
    this.#seen.delete(trace)
  }
}

/** Returns true for a transaction in which a wallet may have received a payment. */
function isCredit({ in_msg: message }: Transaction): boolean {
  return message?.source !== undefined && message.source !== '' && message.bounced !== true
}

function ordersNamedBy({ account, in_msg: message }: Transaction, orders: OpenOrders) {
  const body = readBody(message?.message_content?.body)
  const notification = body && readJettonNotification(body)
  const { comment } = notification ?? (body && readComment(body)) ?? {}
  const bodyHash = readBodyHash(message?.message_content?.hash)
  const recipient = canonicalAddress(account)
  const isNative = notification === undefined
  return ordersNamed(orders, { bodyHash, comment }).filter(
    ({ recipients, offers }) =>
      recipients.includes(recipient) &&
      offers.some(({ asset }) => isNative === (asset === NATIVE_ASSET)),
  )
}
