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

/** A jetton, and the client that asks its master. */
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
  /** Absent for the native coin. */
  jetton: PayableJetton | undefined
  rawAmount: bigint
  /** The body of the comment. */
  comment: Cell
  /** True on a test network. */
  isTestOnly: boolean
}

/** Nanocoins of a jetton transfer for its fees. The rest returns to the payer. */
const JETTON_FEES = 100_000_000n
/** Nanocoins for the recipient. Without any, the recipient receives no notification. */
const FORWARD_AMOUNT = 1n

/** The jetton wallets that each client has looked up. */
const caches = new WeakMap<InvoiceReader, JettonWallets>()

/**
 * Returns the message that the payer's wallet must send. The jetton master computes the address of the payer's jetton
 * wallet, deployed or not.
 * @throws {ConfigurationError} when the asset is not a jetton master.
 */
export async function paymentMessage(payment: RequestedPayment): Promise<PayerMessage> {
  const { sender, recipient, jetton, rawAmount, comment, isTestOnly } = payment
  if (jetton === undefined) {
    return { address: recipient, amount: `${rawAmount}`, payload: encodeBoc(comment) }
  }
  const jettonWallet = await jettonWalletOf(jetton, sender)
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

async function jettonWalletOf({ master, v3 }: PayableJetton, owner: string): Promise<string> {
  const wallets = caches.get(v3) ?? createJettonWallets(v3)
  caches.set(v3, wallets)
  const wallet = await wallets.find({ master, owner }, {})
  if (wallet !== undefined) return wallet
  const problem = `must be 'TON' or a jetton master; ${master} computes no jetton wallet`
  throw new ConfigurationError({ option: 'asset', problem })
}
