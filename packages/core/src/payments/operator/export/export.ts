import { z } from 'zod'
import { REPORTS_OF_TRANSACTION } from '../../engine/paid-elsewhere.js'
import { isUseOf } from '../../engine/report.js'
import { payerMessage } from '../../ledger/credit.js'
import type { Report } from '../../inbox/inbox-reports.js'
import { isRefund, type RefundReport } from '../../engine/proposed-refunds.js'
import type { CreditPeriod, StoredCredit } from '../../inbox/inbox-credits.js'
import { attempt } from '../../orders/checked-repository.js'
import { orderId, type Order, type OrderKey } from '../../orders/order.js'
import { offerIn } from '../../orders/offers.js'
import { canonicalAddress, friendlyAddress } from '../../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../../shared/asset.js'
import { lazy } from '../../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../../shared/options.js'
import { formatUnits, MAX_DECIMALS, NATIVE_DECIMALS } from '../../../shared/units.js'
import { readStoredTransfer } from '../../orders/payload.js'
import type { OperatorContext, OperatorReader } from '../context.js'
import { findRefundMessage, refundedMoney, refundMessage } from '../../ledger/refund-message.js'
import { noteOf } from '../stored-note.js'
import type { ExportRow } from './export-row.js'
import { readSpending, type Spending } from './outgoing.js'

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

/** Credits that are read at a time. */
const PAGE = 200
const USDT = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe'

/** A credit, and what is stored about it. */
interface Entry {
  credit: StoredCredit
  reports: readonly Report[]
  order: Order | undefined
}

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

/** Iterates over the proposed refunds of this Payments, newest first. */
async function* refundPages<O extends Order>(
  { name, inbox }: OperatorContext<O>,
  receivedAfterMs = 0,
): AsyncIterable<RefundReport[]> {
  let before: string | undefined
  do {
    const query = { name, decision: 'refund', receivedAfterMs, before, limit: PAGE } as const
    const page = await inbox.reports.list(query)
    yield page.filter(isRefund)
    before = page.length < PAGE ? undefined : page.at(-1)?.id
  } while (before !== undefined)
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

async function entriesOf<O extends Order>(
  context: OperatorContext<O>,
  credits: readonly StoredCredit[],
): Promise<Entry[]> {
  if (credits.length === 0) return []
  const { name, inbox } = context
  const txHashes = [...new Set(credits.flatMap(hashesOf))]
  const limit = txHashes.length * REPORTS_OF_TRANSACTION
  const reports = await inbox.reports.list({ name, txHashes, limit })
  const own = credits.map((credit) => ({
    credit,
    reports: reports.filter((one) => isAbout(one, credit)),
  }))
  const orders = await ordersOf(
    context,
    own.flatMap((entry) => keyOf(entry, name) ?? []),
  )
  return own.map((entry) => {
    const key = keyOf(entry, name)
    return { ...entry, order: key && orders.get(orderId(key)) }
  })
}

/** Webhooks, and calls that open a refund, may name any transaction of a payment. */
function hashesOf({ txHash, traceId, root, route, uses }: StoredCredit): string[] {
  const onRoute = route.map(({ transaction }) => transaction)
  const paid = uses.map(({ payment = '' }) => payment)
  const all = [txHash, traceId, root?.transaction ?? '', ...onRoute, ...paid]
  return all.filter((hash) => hash !== '')
}

/** A refund names the credit in its decision, and a use the payment of its order, whichever transactions they are. */
function isAbout(report: Report, { txHash, uses }: StoredCredit): boolean {
  if (report.txHash === txHash || report.decision?.txHash === txHash) return true
  return (
    report.decision?.kind === 'paid' &&
    uses.some((use) => use.payment === report.txHash && isUseOf(report, use))
  )
}

function isOfName({ order, uses }: StoredCredit, name: string): boolean {
  const names = [...(order === undefined ? [] : [order.name]), ...uses.map((use) => use.name)]
  return names.length === 0 || names.includes(name)
}

/** Returns the order that a credit has paid; otherwise the order that it names. */
function keyOf(
  { credit: { order, uses }, reports }: Pick<Entry, 'credit' | 'reports'>,
  name: string,
): Required<OrderKey> | undefined {
  const use = uses.find((one) => one.kind === 'order' && one.name === name)
  const paid = use === undefined && reports.find(({ decision }) => decision?.kind === 'paid')
  if (paid) return { reference: paid.reference, merchant: paid.merchant }
  const key = use ?? (order?.name === name ? order : undefined)
  return key && { reference: key.reference, merchant: key.merchant }
}

async function ordersOf<O extends Order>(
  { orders, engine }: OperatorContext<O>,
  keys: readonly Required<OrderKey>[],
): Promise<Map<string, Order>> {
  const unique = new Map(keys.map((key) => [orderId(key), key]))
  const references = [...new Set([...unique.values()].map(({ reference }) => reference))]
  if (references.length === 0) return new Map()
  const found =
    engine.orders.findByReferences === undefined
      ? await Promise.all([...unique.values()].map((key) => orders.find(key)))
      : await attempt(
          'orders.findByReferences',
          async () => (await engine.orders.findByReferences?.(references)) ?? [],
        )
  return new Map(found.flatMap((order) => (order === null ? [] : [[orderId(order), order]])))
}

function creditRow<O extends Order>(
  { network, name }: OperatorContext<O>,
  entry: Entry,
  decimals: ReadonlyMap<string, number>,
): ExportRow {
  const { credit, order, reports } = entry
  const { sender, comment = '' } = payerMessage(credit)
  const { reference = '', merchant = '' } = keyOf(entry, name) ?? {}
  const rate = order?.payment?.offer?.rate ?? (order && offerIn(order, credit.asset)?.rate)
  const acted = reports.find(
    ({ source, decision }) => source === 'operator' && decision?.kind !== 'refund',
  )
  const { by = '', reason = '' } = acted === undefined ? {} : noteOf(acted.rawBody)
  return {
    time: new Date(credit.utime * 1000).toISOString(),
    type: 'credit',
    direction: 'in',
    ...amountOf(credit, order, decimals),
    reference,
    merchant,
    status: order?.status ?? '',
    decision: decisionOf(reports),
    rate: rate?.price ?? '',
    price: rate?.orderPrice ?? '',
    currency: rate?.currency ?? '',
    sender: shown(sender, network),
    recipient: shown(credit.wallet, network),
    transaction: credit.txHash,
    comment,
    operator: by,
    reason,
  }
}

function amountOf(
  { asset, rawAmount }: Pick<StoredCredit, 'asset' | 'rawAmount'>,
  order: Order | undefined,
  known: ReadonlyMap<string, number>,
): Pick<ExportRow, 'amount' | 'asset' | 'raw_amount'> {
  const offered = order && offerIn(order, asset)?.decimals
  const decimals = asset === NATIVE_ASSET ? NATIVE_DECIMALS : (offered ?? known.get(asset))
  return {
    amount: decimals === undefined ? '' : formatUnits(rawAmount, decimals),
    asset,
    raw_amount: `${rawAmount}`,
  }
}

/** The first decision of a payment says what happened to it; repetitions say nothing. */
function decisionOf(reports: readonly Report[]): string {
  const kinds = reports.flatMap(({ decision }) => decision?.kind ?? [])
  const told = kinds.filter((kind) => kind !== 'duplicate' && kind !== 'refund')
  return told.find((kind) => kind === 'paid') ?? told[0] ?? ''
}

function shown(address: string, network: 'mainnet' | 'testnet'): string {
  return friendlyAddress(address, { isBounceable: false, isTestOnly: network === 'testnet' })
}

/** A proposed refund that the wallet has sent. */
interface SentRefund {
  entry: Entry
  report: RefundReport
  state: 'sent' | 'refunded'
  /** The transaction of the merchant's wallet, lower-case hex. */
  txHash: string | undefined
}

/** Finds refunds of payments, also released ones, by the hash of the message that the wallet has sent. */
async function findSentRefunds<O extends Order>(
  context: OperatorContext<O>,
  v3: OperatorReader,
  txHashes: readonly string[],
): Promise<Map<string, SentRefund>> {
  const found = new Map<string, SentRefund>()
  for (let start = 0; start < txHashes.length; start += PAGE) {
    for (const entry of await returnedEntries(context, txHashes.slice(start, start + PAGE))) {
      const searched = new Set<string>()
      for (const report of proposalsOf(entry)) {
        const money = refundedMoney(report.decision, entry.credit)
        // The body is the same on every network.
        const { bodyHash } = await refundMessage(money, { isTestOnly: false })
        if (searched.has(bodyHash)) continue
        searched.add(bodyHash)
        const sent = await findRefundMessage(v3, { wallet: money.wallet, bodyHash })
        if (sent === undefined) continue
        const { hash, refund } = sent
        const isRefunded = refund.state === 'refunded'
        const txHash = refund.state === 'waiting' ? undefined : refund.txHash
        found.set(hash, { entry, report, state: isRefunded ? 'refunded' : 'sent', txHash })
      }
    }
  }
  return found
}

/** Returns the credits that proposals of these transactions return. */
async function returnedEntries<O extends Order>(
  context: OperatorContext<O>,
  txHashes: readonly string[],
): Promise<Entry[]> {
  const credits = await context.inbox.credits.find({ hashes: txHashes })
  const named = new Set(txHashes)
  return entriesOf(
    context,
    credits.filter(({ txHash }) => named.has(txHash)),
  )
}

/** Returns the proposals to return a credit, newest first. */
function proposalsOf({ credit, reports }: Entry): RefundReport[] {
  return reports
    .filter(isRefund)
    .filter(({ decision }) => decision.txHash === credit.txHash && decision.asset === credit.asset)
}

/** Returns the row of a refund on the chain. */
function sentRow<O extends Order>(
  context: OperatorContext<O>,
  { entry, report, state, txHash }: SentRefund,
  row: ExportRow,
  decimals: ReadonlyMap<string, number>,
): ExportRow {
  const { time, amount, raw_amount, sender, recipient, transaction, comment } = row
  return {
    ...proposalRow(context, { entry, report }, decimals),
    time,
    amount,
    raw_amount,
    sender,
    recipient,
    comment,
    status: state,
    transaction: txHash ?? transaction,
  }
}

/** Iterates over what the ledger alone knows about refunds: the last proposal for each payment, by its time. */
async function* proposalRows<O extends Order>(
  context: OperatorContext<O>,
  { from, before }: Pick<ExportQuery, 'from' | 'before'>,
  decimals: ReadonlyMap<string, number>,
): AsyncIterable<ExportRow> {
  for await (const page of refundPages(context, from?.getTime())) {
    const end = before?.getTime() ?? Infinity
    const inPeriod = page.filter(({ receivedAtMs }) => receivedAtMs < end)
    if (inPeriod.length === 0) continue
    const hashes = inPeriod.map(({ decision }) => decision.txHash)
    const entries = await returnedEntries(context, [...new Set(hashes)])
    for (const { id } of inPeriod) {
      for (const entry of entries) {
        const [report] = proposalsOf(entry)
        if (report?.id === id) yield proposalRow(context, { entry, report }, decimals)
      }
    }
  }
}

function proposalRow<O extends Order>(
  context: OperatorContext<O>,
  { entry, report }: Pick<SentRefund, 'entry' | 'report'>,
  decimals: ReadonlyMap<string, number>,
): ExportRow {
  const row = creditRow(context, entry, decimals)
  const { by = '', reason = '' } = noteOf(report.rawBody)
  const { decision, receivedAtMs } = report
  const money = { asset: decision.asset, rawAmount: BigInt(decision.rawAmount) }
  return {
    ...row,
    ...amountOf(money, entry.order, decimals),
    time: new Date(receivedAtMs).toISOString(),
    type: 'refund',
    direction: 'out',
    status: 'opened',
    decision: 'refund',
    sender: row.recipient,
    recipient: row.sender,
    comment: `refund ${decision.txHash}`,
    operator: by,
    reason,
  }
}
