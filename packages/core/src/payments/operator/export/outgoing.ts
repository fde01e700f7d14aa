import { readBody, readComment, readJettonTransfer } from '../../../toncenter/chain/message-body.js'
import type { Transaction } from '../../../toncenter/v3/schemas/transaction.js'
import type { CheckedInbox } from '../../inbox/checked-inbox.js'
import { namedRefund } from '../../ledger/named-refund.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { canonicalAddress } from '../../../shared/address.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { jettonMovement } from '../books/jetton-movement.js'
import { listAccounts, type BookedAccount } from '../books/ledger-credits.js'
import { nativeMovement } from '../books/native-movement.js'
import type { OperatorReader } from '../context.js'

/** Transactions in one response: the limit of the index. */
const PAGE_SIZE = 1000

/** Money that a wallet has spent in one transaction. */
export interface Spending {
  /** `refund_fee`: fees of a transaction that sends refunds, and coins that it attaches to a refund of jettons. */
  type: 'outgoing' | 'refund_fee'
  /** Unix seconds. */
  utime: number
  /** Lower-case hex. */
  txHash: string
  asset: string
  rawAmount: bigint
  wallet: string
  /** Absent for fees, and for jettons that were burned. */
  recipient?: string | undefined
  comment: string
}

/** The sources of what a wallet has spent. */
interface SpendingSources {
  inbox: CheckedInbox
  v3: OperatorReader
  wallet: string
  fromUtime: number
  beforeUtime: number | undefined
}

/** Iterates over the money that a wallet and its jetton wallets have sent, except refunds of tonplug, along the chain. */
export async function* readSpending(sources: SpendingSources): AsyncIterable<Spending> {
  const { inbox, wallet } = sources
  const others = (await listAccounts(inbox, wallet)).filter(({ asset }) => asset !== NATIVE_ASSET)
  for (const account of [{ account: wallet, asset: NATIVE_ASSET }, ...others]) {
    yield* readAccount(sources, account)
  }
}

async function* readAccount(
  { inbox, v3, wallet, fromUtime, beforeUtime }: SpendingSources,
  { account, asset }: BookedAccount,
): AsyncIterable<Spending> {
  const end = beforeUtime === undefined ? {} : { end_utime: beforeUtime - 1 }
  const bounds = { account: [account], start_utime: fromUtime, ...end, sort: 'asc' } as const
  const refunded = new Map<string, string>()
  const read = asset === NATIVE_ASSET ? sentCoins : sentJettons
  for await (const rows of v3.transactions.paginate(bounds, { pageSize: PAGE_SIZE }).pages()) {
    const sent = rows.map((row) => ({ row, transfers: read(row) }))
    const named = sent.flatMap(({ transfers }) =>
      transfers.flatMap(({ refundOf }) => refundOf ?? []),
    )
    const own = await proposedRefunds(inbox, named)
    for (const { row, transfers } of sent) {
      const txHash = canonicalTransactionHash(row.hash)
      const facts = { utime: row.now, txHash, asset, wallet }
      let isRefunding = false
      for (const { refundOf, isAttached, ...transfer } of transfers) {
        const first = refundOf === undefined ? undefined : (refunded.get(refundOf) ?? txHash)
        // A second transfer with the comment of a refund is not one.
        const isRefund = refundOf !== undefined && own.has(refundOf) && first === txHash
        if (isRefund && refundOf !== undefined) refunded.set(refundOf, txHash)
        isRefunding ||= isRefund
        if (isRefund && !isAttached) continue
        yield { ...facts, ...transfer, type: isRefund ? 'refund_fee' : 'outgoing' }
      }
      const { fees } = nativeMovement(row)
      if (isRefunding && asset === NATIVE_ASSET && fees > 0n) {
        yield { ...facts, type: 'refund_fee', rawAmount: fees, comment: '' }
      }
    }
  }
}

/** Returns the transactions of payments for which a refund was proposed. */
async function proposedRefunds(
  { credits }: CheckedInbox,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set()
  const found = await credits.find({ hashes: [...new Set(hashes)] })
  const refunded = found.filter(({ uses }) => uses.some(({ kind }) => kind === 'refund'))
  return new Set(refunded.map(({ txHash }) => txHash))
}

/** One transfer of a transaction. */
interface Sent extends Pick<Spending, 'rawAmount' | 'recipient' | 'comment'> {
  /** The transaction of the payment that its comment names. */
  refundOf: string | undefined
  /** True for coins that are attached to the request of a jetton transfer. */
  isAttached: boolean
}

function sentCoins({ out_msgs }: Transaction): Sent[] {
  return out_msgs.flatMap(({ bounced, destination, value = 0n, message_content: content }) => {
    if (bounced === true || destination === undefined || value === 0n) return []
    const body = readBody(content?.body)
    const jettons = body && readJettonTransfer(body)
    const comment = (jettons ?? (body && readComment(body)))?.comment ?? ''
    return {
      rawAmount: value,
      recipient: canonicalAddress(destination),
      comment: jettons === undefined ? comment : '',
      refundOf: namedRefund(comment, value)[0]?.txHash,
      isAttached: jettons !== undefined,
    }
  })
}

function sentJettons(row: Transaction): Sent[] {
  const { sent: rawAmount } = jettonMovement(row)
  if (rawAmount === 0n) return []
  const body = readBody(row.in_msg?.message_content?.body)
  const request = body && readJettonTransfer(body)
  const comment = request?.comment ?? ''
  const refundOf = namedRefund(comment, rawAmount)[0]?.txHash
  return [{ rawAmount, recipient: request?.recipient, comment, refundOf, isAttached: false }]
}
