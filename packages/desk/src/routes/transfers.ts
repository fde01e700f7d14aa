import { canonicalAddress, isTonplugError } from '@tonplug/core'
import type { TransferGroup, TransferPage, TransferRow } from '../api.js'
import type { DeskPayments } from '../options.js'
import { DeskRequestError } from '../responses.js'

/** Selects transfers, as `payments.list` does. */
type TransferQuery = NonNullable<Parameters<DeskPayments['list']>[0]>
/** A transfer that `payments.list` returned. */
export type ListedTransfer = Awaited<ReturnType<DeskPayments['list']>>[number]

const GROUPS: Record<TransferGroup, TransferQuery> = {
  all: {},
  open: { state: ['undecided', 'parked'] },
  unmatched: { decision: 'unmatched' },
  mismatched: {
    decision: [
      'amount_mismatch',
      'asset_mismatch',
      'recipient_mismatch',
      'extra_payment',
      'paid_after_cancel',
      'rejected',
    ],
  },
  unverified: { decision: 'unverified' },
  unreadable: { state: 'unreadable' },
  dead: { handlers: 'dead' },
}
const DEFAULT_LIMIT = 50
const MAX_LIMIT = 200
const MAX_SEARCH = 1024

/**
 * Returns one page of a list, newest first.
 * @throws {DeskRequestError} for an invalid parameter.
 */
export async function listTransfers(
  payments: DeskPayments,
  parameters: URLSearchParams,
): Promise<TransferPage> {
  const group = groupOf(parameters.get('group') ?? 'all')
  const limit = limitOf(parameters.get('limit'))
  const before = parameters.get('before') ?? undefined
  const searches = searchesFor((parameters.get('search') ?? '').trim())
  // One more than a page shows whether there is another one.
  const query = { ...GROUPS[group], before, limit: limit + 1 }
  const found = await Promise.all(searches.map((search) => payments.list({ ...query, ...search })))
  const transfers = newest(found.flat()).slice(0, limit + 1)
  const page = transfers.slice(0, limit)
  const last = page.at(-1)
  return {
    transfers: page.map(toRow),
    ...(transfers.length > limit && last !== undefined && { next: last.reportId }),
  }
}

function groupOf(group: string): TransferGroup {
  // The check makes it one.
  if (Object.hasOwn(GROUPS, group)) return group as TransferGroup
  throw invalid(`group must be one of ${Object.keys(GROUPS).join(', ')}.`)
}

function limitOf(text: string | null): number {
  const limit = text === null ? DEFAULT_LIMIT : Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw invalid(`limit must be a whole number from 1 to ${MAX_LIMIT}.`)
}

function invalid(message: string): DeskRequestError {
  return new DeskRequestError(400, 'INVALID', message)
}

const HASH = /^(0x)?[0-9a-f]{64}$|^[a-z0-9+/_-]{43}=?$/i
const AMOUNT = /^\d{1,80}(\.\d{1,80})?$/

/** Returns what a string may be: a reference always, and a hash, an address or an amount where it looks like one. */
function searchesFor(text: string): TransferQuery[] {
  if (text === '') return [{}]
  if (text.length > MAX_SEARCH) throw invalid(`search must have at most ${MAX_SEARCH} characters.`)
  const searches: TransferQuery[] = [{ reference: text }]
  if (HASH.test(text)) searches.push({ transactionHash: text })
  if (isAddress(text)) searches.push({ address: text })
  if (AMOUNT.test(text)) searches.push({ amount: text })
  return searches
}

function isAddress(text: string): boolean {
  try {
    canonicalAddress(text)
    return true
  } catch (error) {
    if (isTonplugError(error)) return false
    throw error
  }
}

/** Sorts transfers by arrival, without repetitions. */
function newest(transfers: ListedTransfer[]): ListedTransfer[] {
  const unique = new Map(transfers.map((transfer) => [transfer.reportId, transfer]))
  return [...unique.values()].toSorted((one, other) => compareIds(other.reportId, one.reportId))
}

/** Ids are numbers, some with a prefix: a longer one is later. */
function compareIds(one: string, other: string): number {
  if (one.length !== other.length) return one.length - other.length
  return one < other ? -1 : 1
}

/** Returns the row of a listed transfer. */
export function toRow(listed: ListedTransfer): TransferRow {
  const { reportId, merchant, reference, txHash, source, receivedAtMs, state, action } = listed
  const { decision, transfer, handlers } = listed
  return {
    reportId,
    merchant,
    reference,
    txHash,
    source,
    receivedAtMs,
    state,
    decision: decision?.kind,
    action,
    amount: transfer?.rawAmount,
    asset: transfer?.asset,
    ticker: transfer?.assetTicker,
    decimals: decimalsOf(transfer),
    senderAddr: transfer?.senderAddr,
    hasDeadHandler: handlers.some((task) => task.state === 'dead'),
  }
}

const NATIVE_DECIMALS = 9
const MAX_DECIMALS = 30

/** Returns the decimals of the asset that both amounts of a transfer imply; `undefined` when they do not fit. */
function decimalsOf(transfer: ListedTransfer['transfer']): number | undefined {
  if (transfer === undefined) return undefined
  const { asset, amount, rawAmount } = transfer
  if (asset === 'TON' || asset === 'GRAM') return NATIVE_DECIMALS
  const [whole = '', fraction = ''] = amount.split('.')
  if (!AMOUNT.test(amount) || !AMOUNT.test(rawAmount)) return undefined
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  if (digits === '' || !rawAmount.startsWith(digits)) return undefined
  const zeros = rawAmount.slice(digits.length)
  const decimals = fraction.length + zeros.length
  return /^0*$/.test(zeros) && decimals <= MAX_DECIMALS ? decimals : undefined
}
