import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { canonicalAsset, NATIVE_ASSET } from '../../shared/asset.js'
import { startTimer } from '../../shared/clock.js'
import { unlessInvalid, type ReadReport } from './compare-reports.js'
import type { EngineParts } from './engine-parts.js'

/** A watcher usually finds the money before. */
const SCAN_MS = 5000

/**
 * Looks up the money of a webhook in a jetton, so that its credit is stored: the watcher skips jettons that no open order asks
 * for, and the webhook may have completed the only such order. A proof that has succeeded has stored the credit.
 */
export function lookUpLater<O extends Order>(
  { policy: { proof }, runtime }: Pick<EngineParts<O>, 'policy' | 'runtime'>,
  { kind }: Decision,
  { report: { source, txHash, attempts }, transfer }: ReadReport,
): void {
  const isPaid = kind === (proof === undefined ? 'paid' : 'unverified')
  // It has waited, and an operator may have accepted it for its order.
  const isAccepted = kind === 'duplicate' && attempts > 0
  if (!isPaid && !isAccepted) return
  if (source === 'chain' || source === 'operator' || !runtime.isWatched()) return
  const jetton = unlessInvalid(() => canonicalAsset(transfer.asset))
  if (jetton === undefined || jetton === NATIVE_ASSET) return
  const { clock, lookUp } = runtime
  startTimer(clock, SCAN_MS, () => lookUp(txHash, jetton), { isBackground: true })
}
