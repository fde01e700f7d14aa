import type { StoredCredit } from '../../inbox/inbox-credits.js'
import type { Decision } from '../../orders/decision.js'
import { canonicalAddress } from '../../../shared/address.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import type { OperatorContext } from '../context.js'
import { findRefund, refundMessage } from '../refund-message.js'

/** State of a refund, and the transaction that sent it. */
interface RefundState {
  /** `opened` when nothing can be read from the chain. */
  status: 'opened' | 'open' | 'expired' | 'sent' | 'refunded'
  txHash?: string | undefined
}

/** Returns the state of a proposed refund; with a client of API v3, that on the chain. */
export async function refundState(
  { v3, network, engine }: Pick<OperatorContext, 'v3' | 'network' | 'engine'>,
  { account, wallet, asset }: StoredCredit,
  decision: Decision | undefined,
): Promise<RefundState> {
  if (v3 === undefined || decision?.kind !== 'refund') return { status: 'opened' }
  const money = {
    txHash: decision.txHash,
    wallet,
    payer: canonicalAddress(decision.to),
    asset,
    jettonWallet: asset === NATIVE_ASSET ? undefined : account,
    rawAmount: BigInt(decision.rawAmount),
  }
  const { bodyHash } = await refundMessage(money, { isTestOnly: network === 'testnet' })
  const found = await findRefund(v3, { wallet, bodyHash })
  if (found?.state === 'sent' || found?.state === 'refunded') {
    return { status: found.state, txHash: found.txHash }
  }
  const isOver = engine.clock.nowMs() > decision.validUntil * 1000
  return { status: isOver ? 'expired' : 'open' }
}
