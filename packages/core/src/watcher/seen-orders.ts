import { readBody, readComment, readJettonNotification } from '../chain/message-body.js'
import { canonicalAddress } from '../shared/address.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { BoundedMap } from '../shared/bounded-map.js'
import type { Transaction } from '../toncenter/v3/schemas/transaction.js'
import type { OpenOrderList } from './open-order-list.js'
import type { OpenOrders, WatchedKey, WatchedOrder } from './open-orders.js'
import { readBodyHash } from './proof/read-body-hash.js'

/** The open orders, and the list's update. */
export type ListedOrders = Pick<OpenOrderList, 'index' | 'addNew'>

const MAX_TRACES = 10_000

/** Orders whose payments were seen, by trace. */
export class SeenOrders {
  readonly #openOrders: ListedOrders
  readonly #report: (key: WatchedKey, isSeen: boolean) => void
  readonly #seen = new BoundedMap<string, WatchedKey[]>(MAX_TRACES)
  /** Traces whose orders may be newer than the list. */
  readonly #unlisted = new Set<string>()
  #listing: Promise<void> | undefined

  /** @param report called for each order that was seen, or whose payment is void */
  constructor(openOrders: ListedOrders, report: (key: WatchedKey, isSeen: boolean) => void) {
    this.#openOrders = openOrders
    this.#report = report
  }

  /**
   * Records the open orders that transactions name; lists new orders if they name none. Neither amount nor jetton wallet is
   * verified. Never rejects.
   */
  async add(trace: string, transactions: readonly Transaction[]): Promise<void> {
    const credits = transactions.filter(isCredit)
    if (credits.length === 0 || this.#addListed(trace, credits)) return
    this.#unlisted.add(trace)
    await (this.#listing ??= this.#listNew())
    if (this.#unlisted.delete(trace)) this.#addListed(trace, credits)
  }

  /** Takes back a trace that was not final. */
  remove(trace: string): void {
    this.#unlisted.delete(trace)
    for (const key of this.#seen.get(trace) ?? []) this.#report(key, false)
    this.#seen.delete(trace)
  }

  #addListed(trace: string, credits: readonly Transaction[]): boolean {
    const named = credits.flatMap((one) => ordersNamedBy(one, this.#openOrders.index))
    if (named.length === 0) return false
    this.#seen.set(trace, named)
    for (const key of named) this.#report(key, true)
    return true
  }

  async #listNew(): Promise<void> {
    // An unreachable repository is logged by the next run.
    await this.#openOrders.addNew().catch(() => undefined)
    this.#listing = undefined
  }
}

/** Returns true for a transaction in which a wallet may have received a payment. */
export function isCredit({ in_msg: message }: Transaction): boolean {
  return message?.source !== undefined && message.source !== '' && message.bounced !== true
}

function ordersNamedBy(
  transaction: Transaction,
  { byBody, byComment }: OpenOrders,
): readonly WatchedOrder[] {
  const { account, in_msg: message } = transaction
  const body = readBody(message?.message_content?.body)
  const notification = body && readJettonNotification(body)
  const { comment } = notification ?? (body && readComment(body)) ?? {}
  const bodyHash = readBodyHash(message?.message_content?.hash)
  const named = [
    ...((bodyHash === undefined ? undefined : byBody.get(bodyHash)) ?? []),
    ...((comment === undefined ? undefined : byComment.get(comment)) ?? []),
  ]
  const recipient = canonicalAddress(account)
  const isNative = notification === undefined
  return named.filter(
    ({ recipients, asset }) =>
      recipients.includes(recipient) && isNative === (asset === NATIVE_ASSET),
  )
}
