import { canonicalAddress, isTonplugError } from '@tonplug/core'
import type { Order } from '@tonplug/core'
import { DECISION_KINDS, DECISIONS } from '@tonplug/core/internal'
import type { ListedTransfer, Operator, TransferQuery } from '@tonplug/core/operator'
import type { TransferGroup, TransferPage, TransferRow } from '../api.js'
import { DeskRequestError } from '../responses.js'
import { coinsNamed, parseAmount, unitsOf } from '../words/amounts.js'
import { coinFacts } from '../words/coins.js'
import type { Vocabulary } from '../words/sentences.js'
import { paymentSituation } from '../words/situation.js'
import { namedOrders, type NamedOrderReader } from './named-orders.js'

const GROUPS: Record<TransferGroup, TransferQuery> = {
  all: {},
  open: { state: ['undecided', 'parked'] },
  unknown_order: { decision: 'unknown_order' },
  mismatched: {
    decision: DECISION_KINDS.filter((kind) =>
      ['onMismatch', 'onExtraPayment'].includes(DECISIONS[kind].event ?? ''),
    ),
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
  { operator, orders, words }: { operator: Operator; orders: NamedOrderReader; words: Vocabulary },
  parameters: URLSearchParams,
): Promise<TransferPage> {
  const group = groupOf(parameters.get('group') ?? 'all')
  const limit = limitOf(parameters.get('limit'))
  const before = parameters.get('before') ?? undefined
  const searches = searchesFor((parameters.get('search') ?? '').trim(), words)
  // One more than a page shows whether there is another one.
  const query = { ...GROUPS[group], before, limit: limit + 1 }
  const found = await Promise.all(searches.map((search) => operator.list({ ...query, ...search })))
  const transfers = newest(found.flat()).slice(0, limit + 1)
  const page = transfers.slice(0, limit)
  const last = page.at(-1)
  const named = await namedOrders(orders, page)
  const search = (parameters.get('search') ?? '').trim()
  const hash = inLink(search) ?? search
  return {
    transfers: page.map((listed) => toRow(listed, words, named.get(listed.reportId))),
    ...(transfers.length === 0 && isHash(hash) && { unknownHash: hash }),
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
/** Six characters of a hash in hex or base64, or more. */
const HASH_START = /^(?:0x)?[a-z0-9+/_-]{6,44}=?$|^(?:0x)?[0-9a-f]{6,64}$/i
/** Both ends of an address, as wallets show it. */
const SHORTENED = /^[\w+/-]{4,}(?:…|\.{2,3}|\*{2,3}|·{2,3})[\w+/-]{4,}$/

/** Returns true for a whole hash, in hex or base64. */
export function isHash(text: string): boolean {
  return HASH.test(text.trim())
}

/**
 * Returns the meanings of a search: a comment and a reference always, and a hash, an address, an amount or a link of an
 * explorer where it looks like one.
 */
function searchesFor(given: string, words: Vocabulary): TransferQuery[] {
  if (given === '') return [{}]
  if (given.length > MAX_SEARCH) throw invalid(`search must have at most ${MAX_SEARCH} characters.`)
  const text = inLink(given) ?? given
  // A transfer is listed with what its last search knows: the one by reference knows sums.
  const searches: TransferQuery[] = [{ comment: given }, { reference: given }]
  if (HASH_START.test(text)) searches.push({ transactionHash: text })
  if (isAddress(text) || SHORTENED.test(text)) searches.push({ address: text })
  return [...searches, ...amountSearches(text, words)]
}

/** Returns the hash or the address of a link: at its end, or in a parameter. */
function inLink(text: string): string | undefined {
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return undefined
  const { pathname, searchParams, hash } = new URL(text)
  const parts = [
    ...pathname.split('/').map((part) => decoded(part)),
    ...hash.split(/[#/?&=]/).map((part) => decoded(part)),
    // A plus sign of base64 is a blank here.
    ...[...searchParams.values()].map((value) => value.replaceAll(' ', '+')),
  ]
  return parts.findLast((part) => HASH.test(part)) ?? parts.findLast((part) => isAddress(part))
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** With a ticker, the amount is one of that coin alone. */
function amountSearches(text: string, { coins }: Vocabulary): TransferQuery[] {
  const amount = parseAmount(text)
  if (amount === undefined) return []
  const { value, ticker } = amount
  if (ticker === undefined) return [{ amount: value }]
  const units = coinsNamed(ticker, coins).flatMap((coin) => unitsOf(amount, coin) ?? [])
  return [...new Set(units)].map((rawAmount) => ({ amount: `${rawAmount}` }))
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

/** Returns the row of a listed transfer. @param order see {@link namedOrders} */
export function toRow(listed: ListedTransfer, words: Vocabulary, order?: Order): TransferRow {
  const { reportId, merchant, reference, txHash, source, receivedAtMs, state, action } = listed
  const { decision, transfer, handlers } = listed
  const coin = transfer && words.coins.of(transfer.asset, coinFacts(transfer))
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
    ticker: coin?.ticker,
    decimals: coin?.decimals,
    senderAddr: transfer?.senderAddr,
    hasDeadHandler: handlers.some((task) => task.state === 'dead'),
    situation: paymentSituation({ payment: listed, order }, words),
  }
}
