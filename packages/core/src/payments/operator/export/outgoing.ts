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
export interface Spending<R> {
  /**
   * - `refund`: the transfer that returns the money of a proposed refund.
   * - `refund_fee`: fees of a transaction that sends refunds, and coins that it attaches to a refund of jettons.
   * - `outgoing`: any other transfer.
   */
  type: 'refund' | 'refund_fee' | 'outgoing'
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
  /** Present for a refund. */
  refund?: R | undefined
}

/** The sources of what a wallet has spent. */
interface SpendingSources<R> {
  inbox: CheckedInbox
  v3: OperatorReader
  wallet: string
  fromUtime: number
  beforeUtime: number | undefined
  /** Returns the refunds of payments that the wallet has sent, by the hash of the message that it sent. */
  findRefunds: (txHashes: readonly string[]) => Promise<ReadonlyMap<string, R>>
}

/** Iterates over the money that a wallet and its jetton wallets have sent, along the chain. */
export async function* readSpending<R>(sources: SpendingSources<R>): AsyncIterable<Spending<R>> {
  const { inbox, wallet } = sources
  const others = (await listAccounts(inbox, wallet)).filter(({ asset }) => asset !== NATIVE_ASSET)
  for (const account of [{ account: wallet, asset: NATIVE_ASSET }, ...others]) {
    yield* readAccount(sources, account)
  }
}

async function* readAccount<R>(
  { v3, wallet, fromUtime, beforeUtime, findRefunds }: SpendingSources<R>,
  { account, asset }: BookedAccount,
): AsyncIterable<Spending<R>> {
  const end = beforeUtime === undefined ? {} : { end_utime: beforeUtime - 1 }
  const bounds = { account: [account], start_utime: fromUtime, ...end, sort: 'asc' } as const
  const read = asset === NATIVE_ASSET ? sentCoins : sentJettons
  for await (const rows of v3.transactions.paginate(bounds, { pageSize: PAGE_SIZE }).pages()) {
    const sent = rows.map((row) => ({ row, transfers: read(row) }))
    const named = sent.flatMap(({ transfers }) =>
      transfers.flatMap(({ comment }) => namedRefund(comment, 0n).map(({ txHash }) => txHash)),
    )
    const refunds = await findRefunds([...new Set(named)])
    for (const { row, transfers } of sent) {
      const txHash = canonicalTransactionHash(row.hash)
      const facts = { utime: row.now, txHash, asset, wallet }
      let isRefunding = false
      for (const { message, isAttached, ...transfer } of transfers) {
        const refund = refunds.get(message)
        if (refund === undefined) {
          const comment = isAttached ? '' : transfer.comment
          yield { ...facts, ...transfer, comment, type: 'outgoing' }
          continue
        }
        isRefunding = true
        if (isAttached) yield { ...facts, ...transfer, comment: '', type: 'refund_fee' }
        else yield { ...facts, ...transfer, type: 'refund', refund }
      }
      const { fees } = nativeMovement(row)
      if (isRefunding && asset === NATIVE_ASSET && fees > 0n) {
        yield { ...facts, type: 'refund_fee', rawAmount: fees, comment: '' }
      }
    }
  }
}

/** One transfer of a transaction. */
interface Sent extends Pick<Spending<never>, 'rawAmount' | 'recipient' | 'comment'> {
  /** The hash of the message that the merchant's wallet has sent, in the format of the index. */
  message: string
  /** True for coins that are attached to the request of a jetton transfer, which has the comment. */
  isAttached: boolean
}

function sentCoins({ out_msgs }: Transaction): Sent[] {
  return out_msgs.flatMap(
    ({ hash: message, bounced, destination, value = 0n, message_content: content }) => {
      if (bounced === true || destination === undefined || value === 0n) return []
      const body = readBody(content?.body)
      const jettons = body && readJettonTransfer(body)
      return {
        message,
        rawAmount: value,
        recipient: canonicalAddress(destination),
        comment: (jettons ?? (body && readComment(body)))?.comment ?? '',
        isAttached: jettons !== undefined,
      }
    },
  )
}

function sentJettons(row: Transaction): Sent[] {
  const { sent: rawAmount } = jettonMovement(row)
  if (rawAmount === 0n || row.in_msg === undefined) return []
  const { hash: message, message_content: content } = row.in_msg
  const body = readBody(content?.body)
  const { recipient, comment = '' } = (body && readJettonTransfer(body)) ?? {}
  return [{ message, rawAmount, recipient, comment, isAttached: false }]
}
