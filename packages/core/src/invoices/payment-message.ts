import type { Cell } from '../chain/cells/cell.js'
import { encodeBoc } from '../chain/cells/write-boc.js'
import { jettonTransferBody } from '../chain/write-body.js'
import { friendlyAddress } from '../shared/address.js'
import { ConfigurationError } from '../shared/configuration-error.js'
import type { PayerMessage } from '../shared/invoice.js'
import type { V3Client } from '../toncenter/v3/client.js'
import { createJettonWallets, type JettonWallets } from '../watcher/proof/jetton-wallets.js'

/** The part of a client of API v3 that invoices use. */
export type InvoiceReader = Pick<V3Client, 'jettonMasters' | 'runGetMethod'>

/** A jetton, and the client that asks its contracts. */
export interface PayableJetton {
  /** Canonical. */
  master: string
  v3: InvoiceReader
}

/** A payment of one payer. */
interface RequestedPayment {
  /** Canonical. */
  sender: string
  /** Friendly. */
  recipient: string
  /** The sender's wallet for the jetton, canonical; absent for the native coin. */
  jettonWallet: string | undefined
  rawAmount: bigint
  /** The body of the comment. */
  comment: Cell
  /** True on a test network. */
  isTestOnly: boolean
}

/** Nanocoins of a jetton transfer for its fees. The rest returns to the payer. */
export const JETTON_FEES = 100_000_000n
/** Nanocoins for the recipient. Without any, the recipient receives no notification. */
const FORWARD_AMOUNT = 1n

/** Returns the message that the payer's wallet must send. */
export function paymentMessage(payment: RequestedPayment): PayerMessage {
  const { sender, recipient, jettonWallet, rawAmount, comment, isTestOnly } = payment
  if (jettonWallet === undefined) {
    return { address: recipient, amount: `${rawAmount}`, payload: encodeBoc(comment) }
  }
  const body = jettonTransferBody({
    amount: rawAmount,
    recipient,
    response: sender,
    forwardAmount: FORWARD_AMOUNT,
    forwardPayload: comment,
  })
  return {
    address: friendlyAddress(jettonWallet, { isBounceable: true, isTestOnly }),
    amount: `${JETTON_FEES}`,
    payload: encodeBoc(body),
  }
}

/** The jetton wallets that each client has looked up. */
const caches = new WeakMap<InvoiceReader, JettonWallets>()

/**
 * Returns the payer's wallet for a jetton, which the jetton master computes. A payer who has none of the jetton has no
 * contract there; a contract must name the same master and payer, or the payer would send another jetton.
 * @throws {ConfigurationError} when the asset is not a jetton master, or names the wallet of another jetton.
 */
export async function findPayerWallet(
  { master, v3 }: PayableJetton,
  payer: string,
): Promise<string> {
  const wallets = caches.get(v3) ?? createJettonWallets(v3)
  caches.set(v3, wallets)
  const jetton = { master, owner: payer }
  const wallet = await wallets.find(jetton, {})
  const verdict = wallet === undefined ? 'denied' : await wallets.confirm(jetton, wallet, {})
  if (wallet !== undefined && verdict !== 'denied') return wallet
  const found =
    wallet === undefined
      ? 'computes no jetton wallet'
      : `names ${wallet}, which is not a wallet of this jetton and of ${payer}`
  const problem = `must be 'TON' or a jetton master; ${master} ${found}`
  throw new ConfigurationError({ option: 'asset', problem })
}
