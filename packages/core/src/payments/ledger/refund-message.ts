import { hashCell } from '../../toncenter/chain/cells/hash-cell.js'
import { decodeBoc } from '../../toncenter/chain/cells/decode-boc.js'
import { parseTrace } from '../../toncenter/chain/parse-trace.js'
import { unlessNotFound } from '../../toncenter/chain/find-trace.js'
import { commentBody } from '../../toncenter/chain/write-body.js'
import type { DecisionOf } from '../orders/decision.js'
import { paymentMessage } from '../orders/payer-message.js'
import { canonicalTransactionHash } from '../orders/transaction-hash.js'
import { canonicalAddress, friendlyAddress } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { encodeBase64 } from '../../shared/base64.js'
import type { PayerMessage } from '../../shared/ton-connect-request.js'
import { transferLink } from '../../shared/transfer-link.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { V3Client } from '../../toncenter/v3/client.js'
import type { Credit } from './credit.js'

/** The methods of a client of API v3 that find a refund. */
export type RefundReader = Pick<V3Client, 'messages' | 'traces'>

/** A refund on the chain. */
type FoundRefund =
  | {
      state: 'sent' | 'refunded'
      /** The transaction of the merchant's wallet, lower-case hex. */
      txHash: string
    }
  | { state: 'waiting'; reason: string }

/** The message of a refund, and the hash of the message in the format of the index. */
interface RefundMessage {
  hash: string
  refund: FoundRefund
}

/** The money to return. Addresses are canonical. */
export interface RefundedMoney {
  /** The payment that is returned, in canonical format. */
  txHash: string
  /** The merchant's wallet. */
  wallet: string
  payer: string
  asset: string
  /** The merchant's jetton wallet that was credited; absent for the native coin. */
  jettonWallet: string | undefined
  rawAmount: bigint
}

/** More messages with one body are signed only by mistake. */
const MAX_MESSAGES = 100

/** Returns the money of a proposal. @param credit the account that was credited, and its wallet */
export function refundedMoney(
  { txHash, to, asset, rawAmount }: DecisionOf<'refund'>,
  { account, wallet }: Pick<Credit, 'account' | 'wallet'>,
): RefundedMoney {
  return {
    txHash,
    wallet,
    payer: canonicalAddress(to),
    asset,
    jettonWallet: asset === NATIVE_ASSET ? undefined : account,
    rawAmount: BigInt(rawAmount),
  }
}

/**
 * Returns the message that returns the money of a payment, sent from the account that was credited. Its body is the same
 * for every proposal, so one search finds whichever was signed.
 * @returns also the hash of its body, which only this refund has, in standard base64
 */
export async function refundMessage(
  { txHash, wallet, payer, jettonWallet, rawAmount }: RefundedMoney,
  { isTestOnly }: { isTestOnly: boolean },
): Promise<PayerMessage & { bodyHash: string }> {
  const message = paymentMessage({
    sender: wallet,
    // It paid, so it is deployed: what it does not accept comes back.
    recipient: friendlyAddress(payer, { isBounceable: true, isTestOnly }),
    jettonWallet,
    rawAmount,
    comment: commentBody(commentOf(txHash)),
    isTestOnly,
  })
  return { ...message, bodyHash: encodeBase64(await hashCell(decodeBoc(message.payload))) }
}

/** Identifies a refund: wallets send it as a comment. */
function commentOf(txHash: string): string {
  return `refund ${txHash}`
}

/**
 * Returns a link to the message of a refund in the native coin; wallets write the comment as the same body. `undefined` for a
 * jetton, whose body they would write differently.
 * @param validUntil Unix seconds
 */
export function refundLink(
  { txHash, jettonWallet }: RefundedMoney,
  { address, amount }: PayerMessage,
  validUntil: number,
): string | undefined {
  if (jettonWallet !== undefined) return undefined
  return transferLink({ address, amount, text: commentOf(txHash), exp: `${validUntil}` })
}

/**
 * Finds the message with the body of a refund that the merchant's wallet has sent. One that came back in final blocks does
 * not count. Messages of other wallets do not count either: anyone can imitate the body.
 */
export async function findRefund(
  v3: RefundReader,
  search: { wallet: string; bodyHash: string },
  request: RequestOptions = {},
): Promise<FoundRefund | undefined> {
  return (await findRefundMessage(v3, search, request))?.refund
}

/** See {@link findRefund}. Of several messages that arrived, returns the first one. */
export async function findRefundMessage(
  v3: RefundReader,
  { wallet, bodyHash }: { wallet: string; bodyHash: string },
  request: RequestOptions = {},
): Promise<RefundMessage | undefined> {
  const filter = { body_hash: bodyHash, source: wallet, direction: 'out' } as const
  const { messages } = await v3.messages({ ...filter, limit: MAX_MESSAGES }, request)
  let sent: RefundMessage | undefined
  const oldestFirst = messages.toSorted((one, other) => Number(sentAt(one) - sentAt(other)))
  for (const { hash, source, out_msg_tx_hash: sentIn } of oldestFirst) {
    if (source === undefined || canonicalAddress(source) !== wallet) continue
    if (sentIn === undefined || sentIn === '') {
      const reason = 'the index does not name the transaction that sent the transfer'
      sent ??= { hash, refund: { state: 'waiting', reason } }
      continue
    }
    const outcome = await outcomeOf(v3, { hash, sentIn }, request)
    const txHash = canonicalTransactionHash(sentIn)
    if (outcome === 'arrived') return { hash, refund: { state: 'refunded', txHash } }
    if (outcome === 'pending') sent ??= { hash, refund: { state: 'sent', txHash } }
  }
  return sent
}

function sentAt({ created_lt = 0n }: { created_lt?: bigint | undefined }): bigint {
  return created_lt
}

/** Returns the outcome in final blocks. */
async function outcomeOf(
  v3: RefundReader,
  { hash, sentIn }: { hash: string; sentIn: string },
  request: RequestOptions,
): Promise<'arrived' | 'returned' | 'pending'> {
  const query = { tx_hash: [sentIn], include_actions: true, limit: 1 }
  const { traces: [trace] = [], metadata } = (await unlessNotFound(v3.traces(query, request))) ?? {}
  if (trace === undefined) return 'pending'
  const { transfers, isComplete, isFinal } = parseTrace(trace, { metadata })
  const transfer = transfers.find((one) => one.hash === hash)
  if (!isComplete || !isFinal || transfer === undefined) return 'pending'
  if (transfer.outcome === 'arrived') return 'arrived'
  return transfer.outcome === 'bounced' || transfer.outcome === 'failed' ? 'returned' : 'pending'
}
