import { z } from 'zod'
import { REPORTS_OF_TRANSACTION } from '../../engine/paid-elsewhere.js'
import { isUseOf } from '../../engine/report.js'
import { payerMessage } from '../../ledger/credit.js'
import type { Report } from '../../inbox/inbox.js'
import type { StoredCredit } from '../../inbox/inbox-credits.js'
import { attempt } from '../../orders/checked-repository.js'
import type { Decision } from '../../orders/decision.js'
import { orderId, type Order, type OrderKey } from '../../orders/order.js'
import { offerIn } from '../../orders/offers.js'
import { canonicalAddress, friendlyAddress } from '../../../shared/address.js'
import { canonicalAsset, NATIVE_ASSET } from '../../../shared/asset.js'
import { lazy } from '../../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../../shared/options.js'
import { formatUnits, MAX_DECIMALS, NATIVE_DECIMALS } from '../../../shared/units.js'
import type { OperatorContext } from '../context.js'
import { refundedMoney } from '../../ledger/refund-message.js'
import { refundState } from '../refund-progress.js'
import { noteOf } from '../stored-note.js'
import type { ExportRow } from './export-row.js'
import { readSpending, type Spending } from './outgoing.js'

/** Selects credits by the time of their blocks. */
export interface ExportQuery {
  /** The first time. @default the oldest credit */
  from?: Date | undefined
  /** The end, not included. @default the newest credit */
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
  const wallets = new Set(context.engine.wallets?.map((wallet) => canonicalAddress(wallet)))
  const isGiven = wallets.size > 0
  let after: Pick<StoredCredit, 'utime' | 'id'> | undefined
  do {
    const page = await context.inbox.credits.list({ ...period, after, limit: PAGE })
    for (const entry of await entriesOf(context, page)) {
      if (!isGiven) wallets.add(entry.credit.wallet)
      yield creditRow(context, entry, known)
      for (const refund of refundsOf(entry)) {
        yield await refundRow(context, { entry, refund }, known)
      }
    }
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after !== undefined)
  const { v3, inbox, network } = context
  if (v3 === undefined) return
  for (const wallet of wallets) {
    for await (const spending of readSpending({ v3, inbox, wallet, ...period })) {
      yield spendingRow(spending, known, network)
    }
  }
}

function spendingRow(
  { type, utime, txHash, wallet, recipient, comment, ...money }: Spending,
  decimals: ReadonlyMap<string, number>,
  network: 'mainnet' | 'testnet',
): ExportRow {
  return {
    time: new Date(utime * 1000).toISOString(),
    type,
    direction: 'out',
    ...amountOf(money, undefined, decimals),
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

/** Returns the credits of this Payments, and credits without an order. */
async function entriesOf<O extends Order>(
  context: OperatorContext<O>,
  credits: readonly StoredCredit[],
): Promise<Entry[]> {
  if (credits.length === 0) return []
  const { name, inbox } = context
  const txHashes = [...new Set(credits.flatMap(hashesOf))]
  const limit = txHashes.length * REPORTS_OF_TRANSACTION
  const reports = await inbox.reports.list({ name, txHashes, limit })
  const own = credits
    .filter((credit) => isOfName(credit, name))
    .map((credit) => ({ credit, reports: reports.filter((one) => isAbout(one, credit)) }))
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

/** Returns the newest proposal of a refund, if there is one: the money is returned once. */
function refundsOf({ reports }: Entry): Report[] {
  return reports.filter(({ decision }) => decision?.kind === 'refund').slice(0, 1)
}

async function refundRow<O extends Order>(
  context: OperatorContext<O>,
  { entry, refund }: { entry: Entry; refund: Report },
  decimals: ReadonlyMap<string, number>,
): Promise<ExportRow> {
  const row = creditRow(context, entry, decimals)
  const { by = '', reason = '' } = noteOf(refund.rawBody)
  const { decision, receivedAtMs } = refund
  const { credit, order } = entry
  const rawAmount = decision?.kind === 'refund' ? BigInt(decision.rawAmount) : credit.rawAmount
  const { status, txHash } = await statusOf(context, credit, decision)
  return {
    ...row,
    ...amountOf({ asset: credit.asset, rawAmount }, order, decimals),
    time: new Date(receivedAtMs).toISOString(),
    type: 'refund',
    direction: 'out',
    status,
    decision: 'refund',
    sender: row.recipient,
    recipient: row.sender,
    transaction: txHash ?? row.transaction,
    comment: `refund ${decision?.txHash ?? row.transaction}`,
    operator: by,
    reason,
  }
}

/** `opened` when nothing can be read from the chain. */
async function statusOf<O extends Order>(
  context: OperatorContext<O>,
  credit: StoredCredit,
  decision: Decision | undefined,
): Promise<{ status: string; txHash?: string | undefined }> {
  if (context.v3 === undefined || decision?.kind !== 'refund') return { status: 'opened' }
  const { state, txHash } = await refundState(context, refundedMoney(decision, credit), decision)
  return { status: state, txHash }
}
