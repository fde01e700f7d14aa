import { EMPTY_BODY } from '../orders/body-hash.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import type { Credit, RouteMessage } from './credit.js'

/** Nanocoins; more than forwarding contracts take. A payment that loses more on its way is too small. */
const MOST_FEES = 50_000_000n

/** A payment as a report describes it. Addresses are canonical, hashes lower-case hex; an absent field matches anything. */
export interface ReportedPayment {
  /** The order that the report names, as {@link orderId} returns it. */
  order: string
  recipient: string
  /** `'TON'`, or the jetton master. */
  asset: string
  /** In base units. */
  rawAmount: bigint
  /** The hash of the body of the payer's message. That of an empty body matches messages without a comment. */
  bodyHash?: string | undefined
  /** The sender of that message. */
  sender?: string | undefined
  /** A transaction of the trace. It is not documented which one. */
  txHash?: string | undefined
  /** Nanocoins that may be missing from a payment in the native coin. @default 0n */
  feeAllowance?: bigint | undefined
}

/** The state of the credits of a trace. */
export interface LinkFacts {
  /** True when the trace is final, and all of it is known. */
  isWhole: boolean
  /** Credits that have a use. */
  used: ReadonlySet<string>
  /** The orders that credits name by a body hash or a comment, by the ids of the credits. */
  named: ReadonlyMap<string, string>
}

/** A credit, and the message of its route that the report describes. */
export interface LinkedCredit {
  credit: Credit
  message: RouteMessage
}

/**
 * Result of linking a report.
 * - `linked`: these credits are the reported payment. They are used together or not at all.
 * - `contradicted`: the trace holds nothing that this report can be. `used`: it fits money that is used or named otherwise,
 *   whatever else the payer has sent.
 * - `unclear`: the trace holds money of this payer's message in another amount.
 * - `waiting`: the rest of the trace may hold it.
 */
export type LinkResult =
  | { kind: 'linked'; credits: readonly [LinkedCredit, ...LinkedCredit[]] }
  | { kind: 'contradicted'; reason: 'nothing' | 'used' }
  | { kind: 'unclear'; received: bigint }
  | { kind: 'waiting' }

/**
 * Finds the credits that a report describes, among the credits of its trace. Recipient, asset, body and sender decide first, then
 * the transaction that the report names, and the amount last: what counts is what arrived. Pure.
 */
export function link(
  report: ReportedPayment,
  credits: readonly Credit[],
  { isWhole, used, named }: LinkFacts,
): LinkResult {
  const described = credits.flatMap((credit) => describedBy(report, credit))
  const isFree = ({ credit: { id } }: LinkedCredit): boolean =>
    !used.has(id) && (named.get(id) ?? report.order) === report.order
  const free = described.filter(isFree)
  const preferred = byTransaction(free, report.txHash)
  for (const one of preferred) if (isPaid(report, [one])) return { kind: 'linked', credits: [one] }
  for (const [first, ...rest] of groupsOf(described)) {
    const group = [first, ...rest] as const
    if (group.every(isFree) && isPaid(report, group)) return { kind: 'linked', credits: group }
  }
  if (!isWhole) return { kind: 'waiting' }
  const isTaken = described.some((one) => !isFree(one) && isPaid(report, [one]))
  if (isTaken) return { kind: 'contradicted', reason: 'used' }
  const [first] = preferred
  if (first !== undefined) return { kind: 'unclear', received: sumOf(alike(first, free)) }
  const reason = described.length > 0 ? 'used' : 'nothing'
  return { kind: 'contradicted', reason }
}

/** Returns the credit with each message of its route that the report can describe. */
function describedBy(report: ReportedPayment, credit: Credit): LinkedCredit[] {
  const { recipient, asset, bodyHash, sender } = report
  if (credit.wallet !== recipient || credit.asset !== asset) return []
  return credit.route
    .filter((message) => bodyHash === undefined || bodyHash === (message.bodyHash ?? EMPTY_BODY))
    .filter((message) => (sender ?? message.sender) === message.sender)
    .map((message) => ({ credit, message }))
}

/** Returns first the credit whose own transaction this is, then the only one on whose route it is, then the others. */
function byTransaction(free: readonly LinkedCredit[], txHash: string | undefined): LinkedCredit[] {
  if (txHash === undefined) return [...free]
  const onRoute = new Set(
    free.flatMap(({ credit }) => (hasTransaction(credit, txHash) ? credit : [])),
  )
  const rank = ({ credit }: LinkedCredit): number => {
    if (credit.txHash === txHash) return 0
    return onRoute.size === 1 && onRoute.has(credit) ? 1 : 2
  }
  return free.toSorted((one, other) => rank(one) - rank(other))
}

/** Returns true for a transaction that led to a credit, or is the credit's own. */
function hasTransaction({ root, route }: Credit, txHash: string): boolean {
  return root?.transaction === txHash || route.some(({ transaction }) => transaction === txHash)
}

/** Returns the credits that share one message, where there are several. */
function groupsOf(described: readonly LinkedCredit[]): [LinkedCredit, ...LinkedCredit[]][] {
  const byMessage = new Map<string, [LinkedCredit, ...LinkedCredit[]]>()
  for (const one of described) {
    const group = byMessage.get(one.message.hash)
    if (group === undefined) byMessage.set(one.message.hash, [one])
    else group.push(one)
  }
  return [...byMessage.values()].filter(({ length }) => length > 1)
}

function alike({ message }: LinkedCredit, free: readonly LinkedCredit[]): LinkedCredit[] {
  return free.filter((one) => one.message === message)
}

function sumOf(parts: readonly LinkedCredit[]): bigint {
  return parts.reduce((sum, { credit }) => sum + credit.rawAmount, 0n)
}

/**
 * Returns true when credits of one message are the reported amount. No fee is taken from jettons. A message straight to the
 * wallet has the exact amount; one that contracts pass on may lack the fees of the chain.
 */
function isPaid(
  { asset, rawAmount, feeAllowance = 0n }: ReportedPayment,
  parts: readonly [LinkedCredit, ...LinkedCredit[]],
): boolean {
  const arrived = sumOf(parts)
  if (asset !== NATIVE_ASSET) return arrived === rawAmount
  const [{ credit, message }] = parts
  const isDirect = message.recipient === credit.wallet
  if (isDirect) return arrived <= rawAmount && arrived + feeAllowance >= rawAmount
  const fees = forwardingFees(parts)
  const feesAllowed = fees < MOST_FEES ? fees : MOST_FEES
  return message.value >= rawAmount && arrived + feesAllowed + feeAllowance >= rawAmount
}

/** Returns the fees of the contracts between the payer's message and the credits. */
function forwardingFees(parts: readonly LinkedCredit[]): bigint {
  const fees = new Map<string, bigint>()
  for (const { credit, message } of parts) {
    const passedOn = credit.route.slice(credit.route.indexOf(message), -1)
    for (const one of passedOn) fees.set(one.transaction, one.fees)
  }
  return [...fees.values()].reduce((sum, one) => sum + one, 0n)
}

/** Returns true when no more is missing from an amount than forwarding contracts take. They take nothing from jettons. */
export function isWithinFees(
  asset: string,
  { expected, received }: { expected: bigint; received: bigint },
): boolean {
  return asset === NATIVE_ASSET && received <= expected && received + MOST_FEES >= expected
}
