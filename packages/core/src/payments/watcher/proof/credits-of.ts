import type { JettonTransfer } from '../../../toncenter/chain/token-transfers.js'
import { creditId, type Credit } from '../../ledger/credit.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { AddressError, canonicalAddress } from '../../../shared/address.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { undefinedOn } from '../../../shared/undefined-on.js'
import {
  jettonsByTransaction,
  routeTo,
  timeOfTransaction,
  type DescribedTrace,
} from './trace-routes.js'

/** Money that arrived at a wallet, or claims to: the jetton wallet of a transfer is not proven yet. */
export interface Arrival extends Omit<Credit, 'id' | 'asset'> {
  /** Absent for the native coin. */
  transfer?: JettonTransfer | undefined
  /** The account that notifies the wallet of a jetton transfer by this message: its coins belong to that transfer. */
  notifier?: string | undefined
}

/**
 * Returns what arrived at wallets, in the order of the messages of the trace: one for each transaction that kept money.
 * A message that bounced brings nothing.
 * @param wallets canonical
 */
export function arrivalsOf(described: DescribedTrace, wallets: ReadonlySet<string>): Arrival[] {
  const { messages, traceId = '' } = described.description
  const jettons = jettonsByTransaction(described)
  return messages.flatMap((message): Arrival[] => {
    const { receivedIn = '', value: rawAmount, isBounced } = message
    const account = canonicalAddress(message.recipient)
    const transfer = jettons.get(receivedIn)
    if (isBounced || receivedIn === '') return []
    const wallet = wallets.has(account) ? account : ownerOf(transfer)
    if (wallet === undefined || !wallets.has(wallet)) return []
    const facts = {
      account,
      wallet,
      txHash: canonicalTransactionHash(receivedIn),
      traceId: canonicalTransactionHash(traceId),
      utime: timeOfTransaction(described, receivedIn),
      ...routeTo(described, message),
    }
    if (wallet === account) {
      if (message.outcome !== 'arrived' || rawAmount === 0n) return []
      const notifier = jettons.has(message.sentIn ?? '')
        ? canonicalAddress(message.sender)
        : undefined
      return [{ ...facts, rawAmount, notifier }]
    }
    if (transfer?.outcome !== 'arrived') return []
    return [{ ...facts, rawAmount: transfer.amount, transfer }]
  })
}

/** Returns the wallet that a jetton transfer names. */
function ownerOf(transfer: JettonTransfer | undefined): string | undefined {
  const { recipient } = transfer ?? {}
  return recipient === undefined
    ? undefined
    : undefinedOn(AddressError, () => canonicalAddress(recipient))
}

/**
 * Returns the credits among arrivals: one for each transaction of a wallet, or of its proven jetton wallet. Makes no
 * requests.
 * @param jettonWallets the jetton master of each proven jetton wallet of the wallets; canonical
 */
export function creditsOf(
  arrivals: readonly Arrival[],
  jettonWallets: ReadonlyMap<string, string>,
): Credit[] {
  return arrivals.flatMap(({ transfer, notifier = '', ...facts }) => {
    const asset = transfer === undefined ? NATIVE_ASSET : jettonWallets.get(facts.account)
    if (asset === undefined || facts.rawAmount === 0n || jettonWallets.has(notifier)) return []
    return { id: creditId({ ...facts, asset }), asset, ...facts }
  })
}
