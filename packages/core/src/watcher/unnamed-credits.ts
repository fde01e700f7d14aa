import type { Transfer } from '../chain/describe-trace.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import type { OpenOrders } from './open-orders.js'
import type { DescribedTrace } from './proof/payment-route.js'
import { readCredit, statedMoney, type Credit } from './read-credit.js'
import type { Run } from './run.js'

/** Smaller transfers without an order are ignored, since anyone can send thousands: a tenth of a coin. */
export const MIN_UNNAMED_NANOCOINS = 100_000_000n
/** A jetton transfer without an order must be at least this part of the smallest open order in that jetton. */
const MIN_PART = 100n
/** An order may be stored some time after its payment. */
const MIN_AGE_SECONDS = 60

/**
 * Returns the credits of the wallets by plain transfers that pay none of the orders, for an operator. Small ones, those of
 * jettons without an open order, and those of the last minute are left out.
 * @param paid the credits that pay orders
 */
export async function readUnnamedCredits(
  described: DescribedTrace,
  paid: readonly Credit[],
  run: Run,
): Promise<Credit[] | 'unsettled'> {
  const { transfers, messages } = described.description
  const paidHashes = new Set(paid.flatMap(({ credits }) => credits))
  const found: Credit[] = []
  for (const transfer of transfers) {
    const money = notableMoney(transfer, run)
    const message = messages.find(({ hash }) => hash === transfer.hash)
    if (money === undefined || message === undefined) continue
    if (paidHashes.has(canonicalTransactionHash(transfer.hash))) continue
    const claim = { message, reference: '', ...money }
    const credit = await readCredit(described, claim, run)
    if (credit === 'unsettled') return credit
    if (credit !== undefined && credit.utime + MIN_AGE_SECONDS <= run.head) found.push(credit)
  }
  return found
}

/** Returns the recipient and the asset of a transfer that an operator should see. */
function notableMoney(
  transfer: Transfer,
  { wallets, orders }: Run,
): { recipient: string; asset: string } | undefined {
  const isWallet = (account = '') => wallets.has(account.toLowerCase())
  // A merchant moves money from one wallet to another.
  if (!isWallet(transfer.recipient) || isWallet(transfer.sender)) return undefined
  const money = transfer.outcome === 'arrived' ? statedMoney(transfer) : undefined
  if (money === undefined) return undefined
  const { recipient, asset, rawAmount } = money
  const smallest = orders.smallest.get(asset)
  const isSmall =
    asset === NATIVE_ASSET
      ? rawAmount < MIN_UNNAMED_NANOCOINS
      : smallest === undefined || rawAmount * MIN_PART < smallest
  return isSmall ? undefined : { recipient, asset }
}

/** Returns the merchant whose open orders are paid to the recipient; `''` when there are several. */
export function merchantOf({ recipient }: Credit, { all }: OpenOrders): string {
  const merchants = new Set(
    all.flatMap(({ merchant, recipients }) => (recipients.includes(recipient) ? merchant : [])),
  )
  const [only = ''] = merchants
  return merchants.size === 1 ? only : ''
}
