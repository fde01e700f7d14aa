import type { TraceDescription, Transfer } from '../chain/describe-trace.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { canonicalAddress } from '../shared/address.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'
import type { OpenOrders } from './open-orders.js'
import { readCredit, type Credit } from './read-credit.js'
import type { JettonVerification } from './verify-jettons.js'

/** Smaller transfers without an order are ignored, since anyone can send thousands: a tenth of a coin. */
export const MIN_UNNAMED_NANOCOINS = 100_000_000n
/** A jetton transfer without an order must be at least this part of the smallest open order in that jetton. */
const MIN_PART = 100n
/** An order may be stored some time after its payment. */
const MIN_AGE_SECONDS = 60

/** Dependencies of the search for credits without an order. */
export interface UnnamedCreditOptions extends JettonVerification {
  orders: OpenOrders
  /** The scanned wallets, canonical. */
  wallets: ReadonlySet<string>
  /** Time of the newest block, Unix seconds. */
  head: number
}

/**
 * Returns the credits of the wallets by plain transfers that pay none of the orders, for an operator. Small ones, those of
 * jettons without an open order, and those of the last minute are left out.
 * @param paid the credits that pay orders
 */
export async function readUnnamedCredits(
  { trace, description }: { trace: Trace; description: TraceDescription },
  paid: readonly Credit[],
  options: UnnamedCreditOptions,
): Promise<Credit[] | 'unsettled'> {
  const paidHashes = new Set(paid.flatMap(({ credits }) => credits))
  const found: Credit[] = []
  for (const transfer of description.transfers) {
    const money = moneyOf(transfer, options)
    const message = description.messages.find(({ hash }) => hash === transfer.hash)
    if (money === undefined || message === undefined) continue
    if (paidHashes.has(canonicalTransactionHash(transfer.hash))) continue
    const claim = { message, reference: '', ...money }
    const credit = await readCredit(trace, description, claim, options)
    if (credit === 'unsettled') return credit
    if (credit !== undefined && credit.utime + MIN_AGE_SECONDS <= options.head) found.push(credit)
  }
  return found
}

/** Returns the recipient and the asset of a transfer that an operator should see. */
function moneyOf(
  transfer: Transfer,
  { wallets, orders }: UnnamedCreditOptions,
): { recipient: string; asset: string } | undefined {
  if (transfer.kind === 'nft' || transfer.outcome !== 'arrived') return undefined
  if (transfer.recipient === undefined) return undefined
  const [sender, recipient] = [transfer.sender, transfer.recipient].map(canonicalAddress)
  if (sender === undefined || recipient === undefined) return undefined
  // A merchant moves money from one wallet to another.
  if (!wallets.has(recipient) || wallets.has(sender)) return undefined
  if (transfer.kind === 'native') {
    return transfer.amount < MIN_UNNAMED_NANOCOINS ? undefined : { recipient, asset: NATIVE_ASSET }
  }
  if (transfer.jetton === undefined) return undefined
  const asset = canonicalAddress(transfer.jetton)
  const smallest = orders.smallest.get(asset)
  if (smallest === undefined || transfer.amount * MIN_PART < smallest) return undefined
  return { recipient, asset }
}

/** Returns the merchant whose open orders are paid to the recipient; `''` when there are several. */
export function merchantOf({ recipient }: Credit, { all }: OpenOrders): string {
  const merchants = new Set(
    all.flatMap(({ merchant, recipients }) => (recipients.includes(recipient) ? merchant : [])),
  )
  const [only = ''] = merchants
  return merchants.size === 1 ? only : ''
}
