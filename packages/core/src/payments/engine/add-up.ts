import { allReports } from '../inbox/all-reports.js'
import type { CheckedInbox } from '../inbox/checked-inbox.js'
import type { Report } from '../inbox/inbox-reports.js'
import type { CreditUse, NamedOrder } from '../inbox/inbox-credits.js'
import type { Offer } from '../orders/offer.js'
import { offerIn } from '../orders/offers.js'
import { isOpen, type Order } from '../orders/order.js'
import { readStoredTransfer, type TransferData } from '../orders/payload.js'
import { canonicalAsset } from '../../shared/asset.js'
import { parseBaseUnits } from '../../shared/units.js'
import { unlessInvalid } from './compare-reports.js'
import type { Decidable } from './apply-rules.js'
import { creditsOf, isUseOf } from './report.js'

/** Money that the chain has shown for an order: one credit that is not used otherwise. */
export interface Part {
  report: Report
  transfer: TransferData
  /** The id of the credit. */
  credit: string
  /** Canonical. */
  asset: string
  amount: bigint
  /** True when the order has claimed it. */
  isUsed: boolean
}

/** The store that parts are read from. */
interface PartSources {
  name: string
  inbox: Pick<CheckedInbox, 'reports' | 'credits'>
}

/**
 * Returns the parts of an order's price, the first one first: credits of the chain in the assets of the order, each once, that
 * the order uses, or nothing else. What it has left of one may have been refunded.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function partsOf({ name, inbox }: PartSources, order: Order): Promise<Part[]> {
  const { reference, merchant = '' } = order
  const key = { name, merchant, reference }
  const reports = await allReports(inbox.reports, key)
  const parts = new Map<string, Part>()
  for (const report of reports.toReversed()) {
    const part = readPart(order, report)
    if (part !== undefined && !parts.has(part.credit)) parts.set(part.credit, part)
  }
  if (parts.size === 0) return []
  const stored = await inbox.credits.find({ ids: [...parts.keys()] })
  const usesOf = new Map(stored.map(({ id, uses }) => [id, uses]))
  return [...parts.values()].flatMap((part) => {
    const uses = usesOf.get(part.credit) ?? []
    if (uses.length === 0) return part
    return uses.some((use) => isUseOf(key, use)) ? { ...part, isUsed: true } : []
  })
}

/** Returns true when a credit was claimed together with the credit that completed the order. */
export async function isPartOfPayment<O extends Order>(
  inbox: Pick<CheckedInbox, 'credits'>,
  { report, order }: Decidable<O>,
): Promise<boolean> {
  const completedBy = order?.status === 'completed' ? order.payment?.txHash : undefined
  if (report.source === 'webhook' || completedBy === undefined) return false
  if (completedBy === report.txHash) return false
  const own = await inbox.credits.find({ ids: creditsOf(report) })
  const links = linksOf(
    own.flatMap(({ uses }) => uses),
    report,
  )
  if (links.size === 0) return false
  const others = await inbox.credits.find({ hashes: [completedBy] })
  const theirs = linksOf(
    others.flatMap(({ uses }) => uses),
    report,
  )
  return [...theirs].some((payment) => links.has(payment))
}

/** Returns the hashes that the credits of an order's payment are linked to. */
function linksOf(uses: readonly CreditUse[], key: NamedOrder): Set<string> {
  return new Set(uses.filter((use) => isUseOf(key, use)).flatMap(({ payment }) => payment ?? []))
}

/** A part by itself, as one whose asset and state fit. A watcher or an operator has assigned it to the order. */
function readPart(order: Order, report: Report): Part | undefined {
  const { source, state, decision } = report
  const isOfChain = source === 'chain' || source === 'operator'
  if (!isOfChain || state === 'unreadable' || decision?.kind === 'refund') return undefined
  const [credit, ...more] = creditsOf(report)
  const transfer = readStoredTransfer(report.rawBody)
  const asset = unlessInvalid(() => canonicalAsset(transfer.asset))
  const amount = parseBaseUnits(transfer.rawAmount)
  const isMoney = transfer.status === 'success' && amount !== undefined && amount > 0n
  if (!isMoney || credit === undefined || more.length > 0 || asset === undefined) return undefined
  if (offerIn(order, asset) === undefined) return undefined
  return { report, transfer, credit, asset, amount, isUsed: false }
}

/** The missing amount of an order's price, in the asset of its first part. */
export interface MissingPart {
  offer: Offer
  /** Canonical. */
  asset: string
  /** Base units, more than 0. */
  rawAmount: bigint
}

/** Returns what is missing of the price of an open order; `undefined` before a part has arrived, and when nothing is. */
export function missingPart(order: Order, parts: readonly Part[]): MissingPart | undefined {
  const [first] = parts
  if (first === undefined || !isOpen(order)) return undefined
  const { asset } = first
  const offer = offerIn(order, asset)
  if (offer === undefined) return undefined
  const rawAmount = offer.rawAmount - (sumsOf(parts).get(asset) ?? 0n)
  return rawAmount > 0n ? { offer, asset, rawAmount } : undefined
}

/** Returns base units by canonical asset, the first part first. */
export function sumsOf(parts: readonly Pick<Part, 'asset' | 'amount'>[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { asset, amount } of parts) sums.set(asset, (sums.get(asset) ?? 0n) + amount)
  return sums
}

/**
 * Returns the credits of an order in the asset of a report, which is one of them, the first one first.
 * @param fits returns true for a part that the rules accept, except for its amount
 * @returns `undefined` unless there are several.
 * @throws {RepositoryError} when the inbox fails.
 */
export async function partsToAdd<O extends Order>(
  inbox: PartSources['inbox'],
  { report, transfer, order }: Decidable<O>,
  fits: (part: Part, order: O) => boolean,
): Promise<Part[] | undefined> {
  const [own] = creditsOf(report)
  if (order === null || own === undefined || report.source === 'webhook') return undefined
  const isOwn = order.status === 'completed' && order.payment?.txHash === report.txHash
  if (!isOpen(order) && !isOwn) return undefined
  const asset = unlessInvalid(() => canonicalAsset(transfer.asset))
  const all = await partsOf({ name: report.name, inbox }, order)
  const parts = all
    .filter((part) => part.asset === asset && (isOpen(order) || part.isUsed))
    .filter((part) => fits(part, order))
  return parts.length > 1 && parts.some(({ credit }) => credit === own) ? parts : undefined
}

/** Returns a report's transfer with the sum of the parts as its amount, and the time of the latest part. */
export function sumUp(transfer: TransferData, parts: readonly Part[]): TransferData {
  const sum = parts.reduce((total, { amount }) => total + amount, 0n)
  const dates = parts.map((part) => part.transfer.date).toSorted()
  return { ...transfer, rawAmount: `${sum}`, date: dates.at(-1) ?? transfer.date }
}

/** Returns the first parts, up to the part that reaches the price. */
export function partsUpTo(price: bigint, parts: readonly Part[]): Part[] {
  let sum = 0n
  const needed: Part[] = []
  for (const part of parts) {
    if (sum >= price) break
    sum += part.amount
    needed.push(part)
  }
  return needed
}
