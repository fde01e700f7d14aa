import { attempt } from '../orders/checked-repository.js'
import type { Order } from '../orders/order.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import type { TransferData } from '../webhook/payload.js'
import type { DeliverOptions } from './deliver.js'
import type { Delivery, NewDelivery } from './inbox.js'

/** When the sweep takes up a delivery that was stored and not decided; longer than any deadline. */
const UNDECIDED_RETRY_MS = 30_000

/** An authentic transfer, as it was delivered. */
export interface AuthenticTransfer {
  transfer: TransferData
  rawBody: string
  signedWith: string
}

/**
 * Stores the transfer, and reads its order as it was before. The order comes first, as the delivery has to be told
 * from one whose payment was handled before; when it cannot be read, the delivery is stored all the same.
 * @throws {RepositoryError} when a store fails.
 */
export async function storeDelivery<O extends Order>(
  options: DeliverOptions<O>,
  authentic: AuthenticTransfer,
): Promise<{ delivery: Delivery; order: O | null }> {
  const { orders, inbox, joined } = options
  const given = toNewDelivery(options, authentic)
  if (joined?.storeAndFind !== undefined) return joined.storeAndFind(given)
  const { reference, txHash, signedWith } = given
  let order: O | null = null
  let failure: { error: unknown } | undefined
  try {
    order = await orders.findByReference(reference, { signedWith })
  } catch (error) {
    failure = { error }
  }
  const wasCompletedBefore = isCompletedBy(order, txHash)
  const delivery = await attempt('inbox.store', () => inbox.store({ ...given, wasCompletedBefore }))
  if (failure !== undefined) throw failure.error
  return { delivery, order }
}

/**
 * The key is made of the signed fields that the rules look at: repetitions may differ in the others. A proof looks at some
 * more: who lies about one of those must not stand in the way of who does not.
 */
function toNewDelivery<O extends Order>(
  { name: receiver, clock, proof }: DeliverOptions<O>,
  { transfer, rawBody, signedWith }: AuthenticTransfer,
): Omit<NewDelivery, 'wasCompletedBefore'> {
  const nowMs = clock.nowMs()
  const { reference, status, amount, rawAmount, asset, recipientAddr } = transfer
  const txHash = canonicalTransactionHash(transfer.txHash)
  const { senderAddr, traceId, bodyBase64Hash } = transfer
  const proven = proof === undefined ? [] : [senderAddr, traceId, bodyBase64Hash]
  return {
    receiver,
    key: JSON.stringify([
      receiver,
      reference,
      txHash,
      status,
      amount,
      rawAmount,
      asset,
      recipientAddr,
      ...proven,
    ]),
    reference,
    txHash,
    rawBody,
    signedWith,
    receivedAtMs: nowMs,
    retryAtMs: nowMs + UNDECIDED_RETRY_MS,
  }
}

/** A completed order that does not tell its payment may have been completed by any transfer. */
function isCompletedBy(order: Order | null, txHash: string): boolean {
  return order?.status === 'completed' && (order.payment?.txHash ?? txHash) === txHash
}
