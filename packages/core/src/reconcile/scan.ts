import { canonicalAddress } from '../address/address.js'
import { readBody, readComment } from '../onchain/message-body.js'
import { NATIVE_ASSET } from '../orders/asset.js'
import type { RequestOptions } from '../transport/options.js'
import type { V3Client } from '../v3/client.js'
import type { ClosedOrders, Said } from './closed-orders.js'
import { amountKey, readBodyHash, type OpenOrders } from './open-orders.js'

/** As much of a client of API v3 as a reconciler needs. */
export type ReconcileReader = Pick<
  V3Client,
  'masterchainInfo' | 'transactions' | 'jettonTransfers' | 'messages' | 'traces'
>

/** A transaction that may belong to a payment. */
export interface Candidate {
  txHash: string
  /** Unix seconds. */
  utime: number
}

/** A page of what was gone through. */
export interface Scanned {
  found: Candidate[]
  /** The time of its last row, Unix seconds. */
  upTo: number
}

/** What to go through: what recipients got in a time, both ends included, Unix seconds. */
export interface ScanWindow {
  recipients: readonly string[]
  from: number
  to: number
}

/** Rows in one answer: as many as the index gives. */
const PAGE_SIZE = 1000

/**
 * What recipients got of the native coin, the oldest first, as far as it may pay an order that waits for it, or that it
 * has not paid.
 */
export async function* scanCoins(
  v3: ReconcileReader,
  { recipients, from, to }: ScanWindow,
  { orders, closed, request }: ScanOptions,
): AsyncGenerator<Scanned> {
  const filter = { account: [...recipients], start_utime: from, end_utime: to } as const
  const walk = v3.transactions.iterate(
    { ...filter, sort: 'asc' },
    { pageSize: PAGE_SIZE, ...request },
  )
  for await (const rows of walk.pages()) {
    const candidates: Candidate[] = []
    for (const { hash: txHash, now: utime, trace_id: traceId, account, in_msg: message } of rows) {
      if (message?.source === undefined || message.bounced === true) continue
      const said = {
        bodyHash: readBodyHash(message.message_content?.hash),
        comment: commentOf(message.message_content?.body),
      }
      const { value: rawAmount = 0n } = message
      const credit = { recipient: canonicalAddress(account), asset: NATIVE_ASSET, rawAmount }
      const mayPay =
        isOpen(orders, said) ||
        orders.byAmount.has(amountKey(credit)) ||
        (await closed.isNews(said, { txHash, traceId }))
      if (mayPay) candidates.push({ txHash, utime })
    }
    yield { found: candidates, upTo: rows.at(-1)?.now ?? to }
  }
}

function isOpen({ byBody, byComment }: OpenOrders, { bodyHash, comment }: Said): boolean {
  return (
    (bodyHash !== undefined && byBody.has(bodyHash)) ||
    (comment !== undefined && byComment.has(comment))
  )
}

/**
 * What recipients got of any jetton, the oldest first. Its rows do not have the hash of the payer's message, so each
 * may pay an order.
 */
export async function* scanJettons(
  v3: ReconcileReader,
  { recipients, from, to }: ScanWindow,
  { request }: ScanOptions,
): AsyncGenerator<Scanned> {
  const filter = { owner_address: [...recipients], start_utime: from, end_utime: to } as const
  const walk = v3.jettonTransfers.iterate(
    { ...filter, direction: 'in', sort: 'asc' },
    { pageSize: PAGE_SIZE, ...request },
  )
  for await (const rows of walk.pages()) {
    const found = rows
      .filter((row) => !row.transaction_aborted)
      .map(({ transaction_hash: txHash, transaction_now: utime }) => ({ txHash, utime }))
    yield { found, upTo: rows.at(-1)?.transaction_now ?? to }
  }
}

/** What a scan works with. */
export interface ScanOptions {
  orders: OpenOrders
  closed: ClosedOrders
  request: RequestOptions
}

function commentOf(boc: string | undefined): string | undefined {
  const body = readBody(boc)
  return body && readComment(body).comment
}
