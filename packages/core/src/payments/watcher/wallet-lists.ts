import { readBody, readComment } from '../../toncenter/chain/message-body.js'
import { opcodeOf } from '../../toncenter/chain/trace-messages.js'
import { sentRefunds, type NamedRefund } from '../ledger/named-refund.js'
import { readBodyHash } from '../orders/body-hash.js'
import { canonicalAddress } from '../../shared/address.js'
import { NATIVE_ASSET } from '../../shared/asset.js'
import { inChunks } from '../../shared/in-chunks.js'
import { isTonplugError } from '../../shared/tonplug-error.js'
import type { UnreadableRowErrorDetails } from '../../toncenter/follow/errors.js'
import type { Candidate } from '../../toncenter/follow/retry-queue.js'
import type { RowWatch, RowWatchOptions } from '../../toncenter/follow/row-watch.js'
import type { RequestOptions } from '../../toncenter/transport/call-options.js'
import type { V3JettonTransfer } from '../../toncenter/v3/generated/types.js'
import type { Transaction } from '../../toncenter/v3/schemas/transaction.js'
import type { WatchReader } from './options.js'
import { amountKey, type OrderHint } from './open-orders.js'

/** A period of the chain, both ends included, Unix seconds. */
export interface Period {
  from: number
  to: number
}

/** A transaction in which a wallet received the native coin. */
export interface ReceivedCoins extends Candidate {
  traceId: string | undefined
  hint: OrderHint
  amount: string
  /** True for a plain transfer that is not small. */
  isNotable: boolean
}

/** A refund that a wallet has sent. */
export interface SentRefund extends NamedRefund {
  /** Canonical. */
  wallet: string
  utime: number
}

/** One page of what wallets received. */
export interface RowPage {
  /** Number of rows that were read. */
  rows: number
  coins: readonly ReceivedCoins[]
  /** Jetton transfers, and rows that cannot be read. Only their traces show which orders they name. */
  others: readonly Candidate[]
  refunds: readonly SentRefund[]
  /** The time of its last row, Unix seconds. */
  upTo: number
}

/** A list of what some wallets received. */
export interface WalletList {
  /** Begins to follow the rows from a time on, Unix seconds. */
  follow(from: number): FollowedList
  /** Reads the rows of a period, oldest first. */
  read(period: Period, request: RequestOptions): AsyncGenerator<RowPage, void, undefined>
}

/** A list whose new rows are read poll by poll. */
export interface FollowedList {
  /** @param head the time of the newest block, Unix seconds */
  poll(head: number, request: RequestOptions): AsyncGenerator<RowPage, void, undefined>
}

/** Smaller transfers without an order are ignored, since anyone can send thousands: a tenth of a coin. */
export const MIN_UNNAMED_NANOCOINS = 100_000_000n
/** Rows in one response: the limit of the index. */
const PAGE_SIZE = 1000
/** The period that each poll reads again. Polls of a minute later still need one request for each list without news. */
export const OVERLAP_SECONDS = 90
const FOLLOWING = { pageSize: PAGE_SIZE, overlapSeconds: OVERLAP_SECONDS }
/** Wallets in one request. */
const WALLETS_PER_REQUEST = 50

/** Returns the lists of what wallets received: for each 50 of them, transactions and transfers of any jetton. */
export function walletLists(v3: WatchReader, wallets: Iterable<string>): WalletList[] {
  return inChunks([...wallets], WALLETS_PER_REQUEST).flatMap((chunk) => [
    coinList(v3, chunk),
    jettonList(v3, chunk),
  ])
}

function coinList({ transactions }: WatchReader, account: string[]): WalletList {
  return createList<Transaction>({
    watch: (options) => transactions.watch({ account }, options),
    paginate: (bounds, options) =>
      transactions.paginate({ account, ...bounds }, { pageSize: PAGE_SIZE, ...options }).pages(),
    read: (rows) => ({
      coins: rows.flatMap((row) => readReceived(row) ?? []),
      others: [],
      refunds: rows.flatMap(readRefunds),
    }),
    utimeOf: ({ now }) => now,
  })
}

/** Returns the transfer of the native coin that a transaction received, if it is one. */
function readReceived(row: Transaction): ReceivedCoins | undefined {
  const { hash: txHash, now: utime, trace_id: traceId, account, in_msg: message } = row
  if (message?.source === undefined || message.bounced === true) return undefined
  const body = readBody(message.message_content?.body)
  const hint = {
    bodyHash: readBodyHash(message.message_content?.hash),
    comment: body && readComment(body).comment,
  }
  const { value: rawAmount = 0n } = message
  const recipient = canonicalAddress(account)
  const amount = amountKey({ recipient, asset: NATIVE_ASSET, rawAmount })
  const isNotable = rawAmount >= MIN_UNNAMED_NANOCOINS && opcodeOf(message, body) === undefined
  return { txHash, utime, traceId, hint, amount, isNotable }
}

function readRefunds(row: Transaction): SentRefund[] {
  const { account, now: utime } = row
  return (sentRefunds(row) ?? []).map((refund) => ({
    ...refund,
    wallet: canonicalAddress(account),
    utime,
  }))
}

/** The rows do not have the hash of the payer's message, so each may pay an order. */
function jettonList({ jettonTransfers }: WatchReader, owner_address: string[]): WalletList {
  const filter = { owner_address, direction: 'in' } as const
  return createList<V3JettonTransfer>({
    watch: (options) => jettonTransfers.watch(filter, options),
    paginate: (bounds, options) =>
      jettonTransfers
        .paginate({ ...filter, ...bounds }, { pageSize: PAGE_SIZE, ...options })
        .pages(),
    read: (rows) => ({
      coins: [],
      others: rows
        .filter((row) => !row.transaction_aborted)
        .map(({ transaction_hash: txHash, transaction_now: utime }) => ({ txHash, utime })),
      refunds: [],
    }),
    utimeOf: ({ transaction_now }) => transaction_now,
  })
}

interface Bounds {
  start_utime: number
  end_utime: number
  sort: 'asc'
}

interface ListRules<Row> {
  watch(options: RowWatchOptions): RowWatch<Row>
  paginate(bounds: Bounds, options: RequestOptions): AsyncIterable<Row[]>
  read(rows: readonly Row[]): Pick<RowPage, 'coins' | 'others' | 'refunds'>
  utimeOf(row: Row): number
}

function createList<Row>(rules: ListRules<Row>): WalletList {
  const readPage = (rows: readonly Row[], upTo: number): RowPage => {
    const last = rows.at(-1)
    return {
      ...rules.read(rows),
      rows: rows.length,
      upTo: last === undefined ? upTo : rules.utimeOf(last),
    }
  }

  const follow = (from: number): FollowedList => {
    let watch = rules.watch({ from, ...FOLLOWING })
    return {
      async *poll(head, { signal }) {
        for (;;) {
          try {
            for await (const rows of watch.poll({ head, signal })) yield readPage(rows, head)
            return
          } catch (error) {
            const { row: txHash, cursor } = unreadableRow(error)
            yield { rows: 1, coins: [], others: [{ txHash, utime: head }], refunds: [], upTo: from }
            watch = rules.watch({ cursor, ...FOLLOWING })
          }
        }
      },
    }
  }

  async function* read(
    { from, to }: Period,
    request: RequestOptions,
  ): AsyncGenerator<RowPage, void, undefined> {
    let at = from
    const bounds = { start_utime: from, end_utime: to, sort: 'asc' } as const
    try {
      for await (const rows of rules.paginate(bounds, request)) {
        const page = readPage(rows, to)
        at = page.upTo
        yield page
      }
    } catch (error) {
      if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_RESPONSE_SHAPE') throw error
      // A watch continues behind a row that cannot be read.
      yield* follow(at).poll(to, request)
    }
  }

  return { follow, read }
}

/** Returns the row that ended a watch, and the cursor behind it. @throws any other error. */
function unreadableRow(error: unknown) {
  if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_UNREADABLE_ROW') throw error
  // The code names the class of the error, which another copy of the package may have thrown.
  const { row, cursor } = error.details as UnreadableRowErrorDetails
  if (row === undefined || cursor === undefined) throw error
  return { row, cursor }
}
