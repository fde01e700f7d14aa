import { encodeBoc } from '../../toncenter/chain/cells/write-boc.js'
import { friendlyAddress } from '../../shared/address.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import type { TonConnectItem } from '../../shared/ton-connect-request.js'
import { shownAddress } from '../../shared/ton-connect.js'
import type { V3Client } from '../../toncenter/v3/client.js'
import type { RequestedPayment } from '../orders/payer-message.js'
import { createJettonWallets, type JettonWallets } from '../watcher/proof/jetton-wallets.js'

/** The part of a client of API v3 that invoices use. */
export type InvoiceReader = Pick<V3Client, 'jettonMasters' | 'runGetMethod'>

/** A jetton, and the client that asks its contracts. */
export interface PayableJetton {
  /** Canonical. */
  master: string
  v3: InvoiceReader
}

/**
 * Returns the transfer for the payer's wallet to build. It leaves out what wallets add by default, such as one nanocoin for
 * the notification of the recipient.
 * @param payment.master canonical; absent for the native coin
 */
export function paymentItem({
  master,
  ...payment
}: RequestedPayment & { master: string | undefined }): TonConnectItem {
  const { recipient, rawAmount, comment, isTestOnly, responseDestination } = payment
  const amount = `${rawAmount}`
  const body = encodeBoc(comment)
  if (master === undefined) return { type: 'ton', address: recipient, amount, payload: body }
  return {
    type: 'jetton',
    master: friendlyAddress(master, { isBounceable: true, isTestOnly }),
    destination: recipient,
    amount,
    ...(responseDestination !== undefined && {
      responseDestination: shownAddress(responseDestination, { isTestOnly }),
    }),
    forwardPayload: body,
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
