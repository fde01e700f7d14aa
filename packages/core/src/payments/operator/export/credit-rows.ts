import { allReports } from '../../inbox/all-reports.js'
import { isUseOf } from '../../engine/report.js'
import { payerMessage } from '../../ledger/credit.js'
import type { Report } from '../../inbox/inbox-reports.js'
import type { StoredCredit } from '../../inbox/inbox-credits.js'
import { attempt } from '../../orders/checked-repository.js'
import { orderId, type Order, type OrderKey } from '../../orders/order.js'
import { offerIn } from '../../orders/offers.js'
import { friendlyAddress } from '../../../shared/address.js'
import { NATIVE_ASSET } from '../../../shared/asset.js'
import { formatUnits, NATIVE_DECIMALS } from '../../../shared/units.js'
import type { OperatorContext } from '../context.js'
import { noteOf } from '../stored-note.js'
import type { ExportRow } from './export-row.js'

/** Credits or reports that are read at a time. */
export const PAGE = 200

/** A credit, and what is stored about it. */
export interface Entry {
  credit: StoredCredit
  reports: readonly Report[]
  order: Order | undefined
}

/** Returns the row of a credit. @param decimals of jettons, by their master */
export function creditRow<O extends Order>(
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

/** Returns credits with their reports and the orders that they have paid or name. */
export async function entriesOf<O extends Order>(
  context: OperatorContext<O>,
  credits: readonly StoredCredit[],
): Promise<Entry[]> {
  if (credits.length === 0) return []
  const { name, inbox } = context
  const txHashes = [...new Set(credits.flatMap(hashesOf))]
  const reports = await allReports(inbox.reports, { name, txHashes })
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

/** Returns the columns of an amount; the amount in coins is `''` when the decimals are unknown. */
export function amountOf(
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

/** Returns the friendly form of an address for a network, not bounceable. */
export function shown(address: string, network: 'mainnet' | 'testnet'): string {
  return friendlyAddress(address, { isBounceable: false, isTestOnly: network === 'testnet' })
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

/** The first decision of a payment says what happened to it; repetitions say nothing. */
function decisionOf(reports: readonly Report[]): string {
  const kinds = reports.flatMap(({ decision }) => decision?.kind ?? [])
  const told = kinds.filter((kind) => kind !== 'duplicate' && kind !== 'refund')
  return told.find((kind) => kind === 'paid') ?? told[0] ?? ''
}
