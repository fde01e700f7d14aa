import { z } from 'zod'
import { isOfName, type CreditPeriod, type StoredCredit } from '../../inbox/inbox-credits.js'
import type { Order } from '../../orders/order.js'
import { readStoredTransfer } from '../../orders/payload.js'
import { canonicalAddress } from '../../../shared/address.js'
import { canonicalAsset } from '../../../shared/asset.js'
import { lazy } from '../../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../../shared/options.js'
import { MAX_DECIMALS } from '../../../shared/units.js'
import type { OperatorContext } from '../context.js'
import { amountOf, creditRow, entriesOf, PAGE, shown } from './credit-rows.js'
import type { ExportRow } from './export-row.js'
import { readSpending, type Spending } from './outgoing.js'
import {
  findSentRefunds,
  proposalRows,
  refundPages,
  sentRow,
  type SentRefund,
} from './refund-rows.js'

/** Selects rows by their time. */
export interface ExportQuery {
  /** The first time. @default the oldest row */
  from?: Date | undefined
  /** The end, not included. @default the newest row */
  before?: Date | undefined
  /** Decimals of jettons, by the jetton master in any format. Decimals of stored offers, and of USDT on mainnet, are known. */
  decimals?: Readonly<Record<string, number>> | undefined
}

const QUERY = lazy(() =>
  z.strictObject({
    from: z.date().optional(),
    before: z.date().optional(),
    decimals: z.record(z.string(), z.int().min(0).max(MAX_DECIMALS)).optional(),
  } satisfies OptionSchemas<ExportQuery>),
)

const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'

/** See `Operator.export`. */
export async function* exportRows<O extends Order>(
  context: OperatorContext<O>,
  given: ExportQuery,
): AsyncIterable<ExportRow> {
  const { from, before, decimals = {} } = parseOptions(QUERY(), given, { path: 'query' })
  const known = new Map(
    Object.entries({ [USDT]: 6, ...decimals }).map(([asset, count]) => [
      canonicalAsset(asset),
      count,
    ]),
  )
  const period = { fromUtime: secondsOf(from) ?? 0, beforeUtime: secondsOf(before) }
  for await (const page of creditPages(context, period)) {
    for (const entry of await entriesOf(context, page)) yield creditRow(context, entry, known)
  }
  const { v3, inbox, network } = context
  if (v3 === undefined) {
    yield* proposalRows(context, { from, before }, known)
    return
  }
  const findRefunds = (txHashes: readonly string[]) => findSentRefunds(context, v3, txHashes)
  for (const wallet of await listWallets(context)) {
    const sources = { v3, inbox, wallet, ...period, findRefunds }
    for await (const spending of readSpending<SentRefund>(sources)) {
      const row = spendingRow(spending, known, network)
      yield spending.refund === undefined ? row : sentRow(context, spending.refund, row, known)
    }
  }
}

/** Iterates over the credits of this Payments, and credits without an order. */
async function* creditPages<O extends Order>(
  { name, inbox }: OperatorContext<O>,
  period: Pick<CreditPeriod, 'fromUtime' | 'beforeUtime'>,
): AsyncIterable<StoredCredit[]> {
  let after: Pick<StoredCredit, 'utime' | 'id'> | undefined
  do {
    const page = await inbox.credits.list({ ...period, after, limit: PAGE })
    yield page.filter((credit) => isOfName(credit, name))
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
}

/** Returns the wallets, whatever the period is: the watched ones and wallets of refunds, otherwise all of the ledger. */
async function listWallets<O extends Order>(context: OperatorContext<O>): Promise<Set<string>> {
  const wallets = new Set(context.engine.wallets?.map((wallet) => canonicalAddress(wallet)))
  if (wallets.size === 0) {
    for await (const page of creditPages(context, { fromUtime: 0 })) {
      for (const { wallet } of page) wallets.add(wallet)
    }
    return wallets
  }
  for await (const page of refundPages(context)) {
    for (const { rawBody } of page) {
      wallets.add(canonicalAddress(readStoredTransfer(rawBody).recipientAddr))
    }
  }
  return wallets
}

function spendingRow(
  { type, utime, txHash, wallet, recipient, comment, ...money }: Spending<SentRefund>,
  decimals: ReadonlyMap<string, number>,
  network: 'mainnet' | 'testnet',
): ExportRow {
  return {
    time: new Date(utime * 1000).toISOString(),
    type,
    direction: 'out',
    ...amountOf(money, money.refund?.entry.order, decimals),
    reference: '',
    merchant: '',
    status: '',
    decision: '',
    rate: '',
    price: '',
    currency: '',
    sender: shown(wallet, network),
    recipient: recipient === undefined ? '' : shown(recipient, network),
    transaction: txHash,
    comment,
    operator: '',
    reason: '',
  }
}

/** Block times are whole seconds. */
function secondsOf(date: Date | undefined): number | undefined {
  return date && Math.ceil(date.getTime() / 1000)
}
