import { sha256 } from '../../shared/sha256.js'

/** A message on the way to a credit. Hashes are lower-case hex, addresses canonical, amounts base units. */
export interface RouteMessage {
  hash: string
  sender: string
  recipient: string
  /** Nanocoins. */
  value: bigint
  /** The first 32 bits of the body; absent for a plain transfer, with or without a comment. */
  opcode?: string | undefined
  /** Absent when the index does not return it. */
  bodyHash?: string | undefined
  comment?: string | undefined
  isCommentEncrypted: boolean
  /** The transaction that received it. */
  transaction: string
  /** Fees of that transaction and of the messages that it sent, nanocoins. */
  fees: bigint
  /** True when that transaction also sent money elsewhere, so that it can belong to several payments. */
  isShared: boolean
}

/** Money that arrived: one transaction of a wallet, or of its proven jetton wallet, in one asset. */
export interface Credit {
  /** See {@link creditId}. It is the same in every process. */
  id: string
  /** The account whose transaction it is: the wallet, or its jetton wallet. Canonical. */
  account: string
  /** The wallet that owns the money, canonical. */
  wallet: string
  /** Lower-case hex. */
  txHash: string
  /** `'TON'`, or the jetton master in canonical format. */
  asset: string
  /** In base units. */
  rawAmount: bigint
  /** Lower-case hex; `''` when the index does not return it. */
  traceId: string
  /** Unix seconds. */
  utime: number
  /**
   * The messages that led to it, the first one of the trace first; the last one brought the money. What the wallet sent
   * itself has no earlier cause.
   */
  route: readonly [RouteMessage, ...RouteMessage[]]
  /** The transaction that sent the first message, if it is part of this payment. */
  root?: Pick<RouteMessage, 'transaction' | 'isShared'> | undefined
}

/** The fields that identify a credit. */
type CreditKey = Pick<Credit, 'account' | 'txHash' | 'asset'>

const ID_BYTES = 16

/**
 * Returns the id of a credit in hex: the first 16 bytes of SHA-256 over the JSON of account, transaction and asset. It
 * depends on nothing else, so it survives a lost or restored database.
 */
export function creditId({ account, txHash, asset }: CreditKey): string {
  const hash = sha256(JSON.stringify([account, txHash, asset]))
  return Array.from(hash.slice(0, ID_BYTES), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Returns the message that a payer sent for a credit unless a report says otherwise: the message that brought a native coin, or
 * the request of a jetton transfer.
 */
export function payerMessage({ account, wallet, route }: Credit): RouteMessage {
  const [first] = route
  return route.at(account === wallet ? -1 : -2) ?? first
}

/**
 * Returns the transactions of a credit that belong to no other payment, sorted: those after the payer's message, and those
 * before it up to the first one that also sent money elsewhere.
 */
export function ownTransactions({ root, route }: Credit, message: RouteMessage): string[] {
  const place = route.indexOf(message)
  const own = route.slice(place).map(({ transaction }) => transaction)
  const before = route.slice(0, place).toReversed()
  for (const { transaction, isShared } of root === undefined ? before : [...before, root]) {
    if (isShared) break
    own.push(transaction)
  }
  return own.toSorted()
}

/** Returns the hashes by which a credit is found: its trace, and the transactions that led to it. */
export function hashesOf({ txHash, traceId, route, root }: Credit): string[] {
  const transactions = route.map(({ transaction }) => transaction)
  return [txHash, traceId, root?.transaction ?? '', ...transactions].filter((hash) => hash !== '')
}

/** Returns true for a transfer, as opposed to coins that a contract attaches to a call. */
export function isTransfer({ account, wallet, route }: Credit): boolean {
  return account !== wallet || route.at(-1)?.opcode === undefined
}
