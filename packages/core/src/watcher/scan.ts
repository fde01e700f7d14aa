import { canonicalAddress } from '../shared/address.js'
import { readBody, readComment } from '../chain/message-body.js'
import { opcodeOf } from '../chain/trace-messages.js'
import { NATIVE_ASSET } from '../shared/asset.js'
import { readBodyHash } from '../orders/body-hash.js'
import type { Transaction } from '../toncenter/v3/schemas/transaction.js'
import type { HintedTransaction } from './named-orders.js'
import { amountKey, ordersNamed, type OrderHint } from './open-orders.js'
import type { Candidate } from './retry-queue.js'
import type { Period, Run } from './run.js'
import { MIN_UNNAMED_NANOCOINS } from './unnamed-credits.js'

/** One page of a scan. */
export interface ScannedPage {
  candidates: Candidate[]
  /** The time of its last row, Unix seconds. */
  upTo: number
}

/** The transfers to scan: those that recipients received in a period. */
export interface ScanWindow extends Period {
  recipients: string[]
}

/** Rows in one response: the limit of the index. */
const PAGE_SIZE = 1000

/**
 * Scans the transfers of the native coin that recipients received, oldest first. Returns those that may pay an open order,
 * that name another order and did not complete it, or that name no order and are not small.
 */
export async function* scanCoins(
  run: Run,
  { recipients, from, to }: ScanWindow,
): AsyncGenerator<ScannedPage> {
  const { v3, orders, named, request } = run
  const filter = { account: recipients, start_utime: from, end_utime: to, sort: 'asc' } as const
  const pages = readPages(run, {
    one: async () => (await v3.transactions({ ...filter, limit: PAGE_SIZE }, request)).transactions,
    all: () => v3.transactions.paginate(filter, { pageSize: PAGE_SIZE, ...request }).pages(),
  })
  const mayPayOpen = ({ hint, amount }: ReceivedCoins): boolean =>
    ordersNamed(orders, hint).length > 0 || orders.byAmount.has(amount)
  for await (const rows of pages) {
    const received = rows.flatMap((row) => readRow(row) ?? [])
    const others = received.filter((row) => !mayPayOpen(row)).map(({ hint }) => hint)
    await named.load(others, rows.length)
    const candidates = received.filter(
      (row) =>
        mayPayOpen(row) ||
        named.isPayable(row.hint, row) ||
        (row.isNotable && !named.isKnown(row.hint)),
    )
    yield {
      candidates: candidates.map(({ txHash, utime }) => ({ txHash, utime })),
      upTo: rows.at(-1)?.now ?? to,
    }
  }
}

/** A transaction in which a wallet received the native coin. */
interface ReceivedCoins extends Candidate, HintedTransaction {
  hint: OrderHint
  amount: string
  /** True for a plain transfer that is not small. */
  isNotable: boolean
}

function readRow(row: Transaction): ReceivedCoins | undefined {
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

/**
 * Scans the transfers of any jetton that recipients received, oldest first. Its rows do not have the hash of the payer's
 * message, so each may pay an order.
 */
export async function* scanJettons(
  run: Run,
  { recipients, from, to }: ScanWindow,
): AsyncGenerator<ScannedPage> {
  const { v3, named, request } = run
  const filter = {
    owner_address: recipients,
    start_utime: from,
    end_utime: to,
    direction: 'in',
    sort: 'asc',
  } as const
  const pages = readPages(run, {
    one: async () =>
      (await v3.jettonTransfers({ ...filter, limit: PAGE_SIZE }, request)).jetton_transfers,
    all: () => v3.jettonTransfers.paginate(filter, { pageSize: PAGE_SIZE, ...request }).pages(),
  })
  for await (const rows of pages) {
    // Only their traces show which orders they name.
    await named.load([], rows.length)
    const candidates = rows
      .filter((row) => !row.transaction_aborted)
      .map(({ transaction_hash: txHash, transaction_now: utime }) => ({ txHash, utime }))
    yield { candidates, upTo: rows.at(-1)?.transaction_now ?? to }
  }
}

/** Unless the run is thorough, reads a list by one request if its rows fit in one page: a server may cut a page. */
async function* readPages<Row>(
  { isThorough }: Run,
  list: { one: () => Promise<Row[]>; all: () => AsyncIterable<Row[]> },
): AsyncGenerator<Row[]> {
  const rows = isThorough ? undefined : await list.one()
  if (rows === undefined || rows.length >= PAGE_SIZE) yield* list.all()
  else yield rows
}
