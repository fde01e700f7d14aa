import { canonicalAddress } from '../shared/address.js'
import { isTonplugError } from '../shared/tonplug-error.js'
import type { JettonTransfer } from '../chain/token-transfers.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import type { JettonWallets } from './proof/jetton-wallets.js'
import { isAccount } from './proof/payment-route.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'

/** Dependencies of the verification of jetton wallets. */
export interface JettonVerification {
  jettonWallets: JettonWallets
  logger: Logger
  request: RequestOptions
}

/** The order that a transfer names. Addresses are canonical. */
export interface JettonClaim {
  reference: string
  recipient: string
  asset: string
}

/** Transfers of one jetton whose master has confirmed the wallet of the recipient. */
export interface VerifiedJettons {
  master: string
  transfers: readonly JettonTransfer[]
}

/**
 * Verifies transfers of jettons through the jetton masters: that of the order's asset, and otherwise the one that the index
 * names for the first transfer. A transfer to a wallet that neither confirms is ignored.
 * @returns the transfers of one jetton; `'unsettled'` when a master cannot be asked or the index does not name it yet;
 * `undefined` when all are ignored.
 * @throws the reason of the request's signal
 */
export async function verifyJettons(
  transfers: readonly JettonTransfer[],
  claim: JettonClaim,
  verification: JettonVerification,
): Promise<VerifiedJettons | 'unsettled' | undefined> {
  const { logger, request } = verification
  const { reference, asset } = claim
  try {
    const paid = asset === NATIVE_ASSET ? undefined : await verify(asset)
    if (paid !== undefined) return paid
    const [first] = transfers
    if (first?.jetton === undefined) return 'unsettled'
    const other = canonicalAddress(first.jetton)
    const verified = other === asset ? undefined : await verify(other)
    if (verified !== undefined) return verified
    logger.warn('payment ignored: the jetton master does not confirm the jetton wallet', {
      reference,
      txHash: first.receivedIn,
      jetton: first.jetton,
      jettonWallet: first.recipientWallet,
    })
    return undefined
  } catch (error) {
    request.signal?.throwIfAborted()
    if (!isTonplugError(error)) throw error
    logger.warn('jetton wallet not verified: the jetton master cannot be asked', {
      reference,
      error: errorFacts(error),
    })
    return 'unsettled'
  }

  async function verify(master: string): Promise<VerifiedJettons | undefined> {
    const jetton = { master, owner: claim.recipient }
    const wallet = await verification.jettonWallets.find(jetton, request)
    if (wallet === undefined) return undefined
    const credited = transfers.filter((one) => isAccount(one.recipientWallet, wallet))
    return credited.length > 0 ? { master, transfers: credited } : undefined
  }
}
