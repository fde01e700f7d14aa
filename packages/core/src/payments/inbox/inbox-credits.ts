import type { Credit } from '../ledger/credit.js'
import type { OrderKey } from '../orders/order.js'

/** Begins the claim on a credit, which holds in the whole database: see {@link InboxCredits.claim}. */
export const CREDIT_CLAIM = 'credit:'

/** An order of one Payments. */
export interface NamedOrder extends Required<OrderKey> {
  name: string
}

/** A credit to store. */
export interface NewCredit extends Credit {
  /** The order that it names by its body or comment, or that a watcher has found for it. */
  order?: NamedOrder | undefined
}

/**
 * Use of a credit, or of a part of it. It is never released because of time: only a refund that was not sent is, and the use of an
 * order that another payment has completed. A refund also ends the use of an order that was cancelled.
 */
export interface CreditUse extends NamedOrder {
  /** For a refund, `reference` identifies the refund. */
  kind: 'order' | 'refund'
  /** Base units. */
  rawAmount: bigint
  /** The hash of the payment that completed the order, as in `Payment.txHash`. */
  payment?: string | undefined
  /** Milliseconds since the Unix epoch. */
  usedAtMs: number
}

/** A credit of the ledger. */
export interface StoredCredit extends NewCredit {
  /** When it was first stored, milliseconds since the Unix epoch. */
  seenAtMs: number
  /** Oldest first. What they leave of `rawAmount` is unused. */
  uses: readonly CreditUse[]
  /** Number of refunds that were released; absent for 0. */
  releasedRefunds?: number | undefined
}

/** Returns true for a credit of the named Payments, and for one without an order. */
export function isOfName({ order, uses }: StoredCredit, name: string): boolean {
  const names = [...(order === undefined ? [] : [order.name]), ...uses.map((use) => use.name)]
  return names.length === 0 || names.includes(name)
}

/** Selects credits. Exactly one field is given. */
export type CreditQuery =
  | { ids: readonly string[] }
  /** Trace ids, and transactions that led to the credit or are its own; lower-case hex. */
  | { hashes: readonly string[] }

/** The fields that order the credits of a wallet. */
export type CreditPlace = Pick<Credit, 'account' | 'asset' | 'utime' | 'id'>

/** Selects the credits of a wallet, of all its accounts and assets. */
export interface WalletCreditQuery {
  /** Canonical. */
  wallet: string
  /** Returns the credits behind this place. @default the first ones */
  after?: CreditPlace | undefined
  limit: number
}

/** Selects credits by the time of their blocks. */
export interface CreditPeriod {
  /** Unix seconds. */
  fromUtime: number
  /** Unix seconds; not included. */
  beforeUtime?: number | undefined
  /** Returns the credits behind this one: the next page. */
  after?: Pick<Credit, 'utime' | 'id'> | undefined
  limit: number
}

/** An order that is completed or cancelled. */
export interface EndedOrder {
  reference: string
  /** The hash of the payment that completed it, as in `Payment.txHash`. Leave out where no payment has completed it. */
  payment?: string | undefined
}

/** A claim of an order or a refund on money. */
export interface CreditClaim extends NamedOrder {
  /** @default 'order' */
  kind?: CreditUse['kind'] | undefined
  /**
   * Credits, as {@link CREDIT_CLAIM} and an id, are claimed in the whole database, whether they are stored or not. Anything
   * else is claimed among the orders of one merchant of one Payments.
   */
  payments: readonly string[]
  /**
   * The hash of the payment that completes or has completed the order. It is linked to each claimed credit that is stored,
   * and to no others.
   * A repeated claim replaces the hash of an earlier one.
   */
  payment?: string | undefined
  /**
   * Base units that an order uses of the claimed credits: of the first ones all, of the credit that reaches the amount a part, of
   * later ones nothing. @default all of them
   */
  usedAmount?: bigint | undefined
  /** Claims nothing when a credit with one of these hashes is stored; see {@link CreditQuery}. */
  unlessStored?: readonly string[] | undefined
  /**
   * Orders of the same merchant that have claimed the money of a refund, and that were cancelled, or completed by another
   * payment. The refund takes what they hold of it: their uses of the claimed credits end, and their claims on anything else are
   * the refund's. They can claim those credits no more.
   */
  takesFrom?: readonly EndedOrder[] | undefined
}

/** A refund that was not sent, and can no longer be sent. */
export interface RefundRelease extends NamedOrder {
  /** The id of the credit. */
  credit: string
}

/** The use of a credit by an order that another payment has completed. */
export interface LostUse extends NamedOrder {
  /** The id of the credit. */
  credit: string
  /**
   * The hash of the payment that has not completed the order, `undefined` for a use without a link: nothing ends when the use is
   * linked to another one.
   */
  payment: string | undefined
  /** Claims of the order on anything else, which end with the use. */
  payments: readonly string[]
}

/** The ledger: money that arrived, and its uses, in the whole database. */
export interface InboxCredits {
  /** Stores credits unless they are known. The first order that one names stays. */
  store(credits: readonly NewCredit[]): Promise<void>
  /** Returns the stored credits that match. */
  find(query: CreditQuery): Promise<StoredCredit[]>
  /** Returns stored credits, ordered by `utime` and id. */
  list(period: CreditPeriod): Promise<StoredCredit[]>
  /** Returns the stored credits that name an order, or that it uses. */
  listOf(order: NamedOrder): Promise<StoredCredit[]>
  /** Returns stored credits of a wallet, ordered by account, asset, `utime` and id. */
  listOfWallet(query: WalletCreditQuery): Promise<StoredCredit[]>
  /**
   * Claims, all or none, money for an order or a refund, permanently. An order uses whole credits, or `usedAmount` of them; a
   * refund uses the rest, which no other order can take. A repeated claim succeeds, and changes no amount.
   * @returns false, and claims nothing, when one of them has another use, when `payment` is linked to another credit, when
   *   the refund was released, or when a credit is linked to the payment that completed an order of `takesFrom`.
   */
  claim(claim: CreditClaim): Promise<boolean>
  /**
   * Ends the use of a credit by a refund, and its claims on anything else, so that they are free again. The released refund
   * claims nothing more: the next one has another reference. Or ends the lost use of an order, which can claim the credit again.
   * A repeated release changes nothing.
   */
  release(released: RefundRelease | LostUse): Promise<void>
}
