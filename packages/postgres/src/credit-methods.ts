import {
  isOrderKey,
  type CreditUse,
  type Inbox,
  type NewCredit,
  type StoredCredit,
} from '@tonplug/core'
import { claimsAtOnce } from './claims.js'
import type { Database } from './database.js'
import { optionalJson, toJson } from './json.js'
import { keyValues } from './order-rows.js'
import type { Row } from './queryable.js'
import { number, text } from './rows.js'
import * as sql from './sql/credits.js'
import { claimPayments, endLostUse, releaseRefund, takePayments } from './sql/payments.js'

/** No account is the empty string. */
const BEFORE_ALL = { account: '', asset: '', utime: 0, id: '' }

/** Returns the ledger of a database. */
export function creditMethods(database: Database): Inbox['credits'] {
  return {
    store: async (credits) => {
      if (credits.length === 0) return
      const rows = new Map(credits.map((credit) => [credit.id, toRow(credit)]))
      await database.run(sql.storeCredits, [toJson([...rows.values()])])
    },
    find: async (query) => {
      const rows =
        'ids' in query
          ? await database.run(sql.findCredits, [toJson(query.ids)])
          : await database.run(sql.findCreditsByHashes, [toJson(query.hashes)])
      return rows.map(toCredit)
    },
    list: async ({ fromUtime, beforeUtime, after = { utime: fromUtime, id: '' }, limit }) => {
      const end = beforeUtime === undefined ? null : String(beforeUtime)
      const values = [String(after.utime), after.id, end, String(limit)]
      return (await database.run(sql.listCredits, values)).map(toCredit)
    },
    listOf: async ({ name, ...key }) => {
      if (!isOrderKey(key)) return []
      return (await database.run(sql.listCreditsOf, [name, ...keyValues(key)])).map(toCredit)
    },
    listOfWallet: async ({ wallet, after = BEFORE_ALL, limit }) => {
      const place = [after.account, after.asset, String(after.utime), after.id]
      const values = [wallet, ...place, String(limit)]
      return (await database.run(sql.listCreditsOfWallet, values)).map(toCredit)
    },
    claim: async (given) => {
      const { takesFrom = [], ...claimed } = given
      const { name, payments, payment, unlessStored, usedAmount, kind = 'order', ...key } = claimed
      if (!isOrderKey(key)) return false
      const amount = usedAmount?.toString() ?? null
      const claim = [toJson(payments), payment ?? null, optionalJson(unlessStored), amount, kind]
      const values = [name, ...keyValues(key), ...claim]
      return takesFrom.length === 0
        ? claimsAtOnce(database.run, claimPayments, values)
        : claimsAtOnce(database.run, takePayments, [...values, toJson(takesFrom)])
    },
    release: async (released) => {
      const { name, merchant, reference, credit } = released
      const key = { merchant, reference }
      if (!isOrderKey(key)) return
      const values = [name, ...keyValues(key), credit]
      if (!('payment' in released)) await database.run(releaseRefund, values)
      else {
        const lost = [released.payment ?? null, toJson(released.payments)]
        await database.run(endLostUse, [...values, ...lost])
      }
    },
  }
}

/** A credit as the SQL reads it. */
function toRow({ order, ...credit }: NewCredit) {
  const { id, account, wallet, txHash, asset, rawAmount, traceId, utime, route, root } = credit
  const transactions = route.map(({ transaction }) => transaction)
  const hashes = new Set([txHash, traceId, root?.transaction ?? '', ...transactions])
  hashes.delete('')
  return {
    id,
    account,
    wallet,
    asset,
    utime,
    raw_amount: String(rawAmount),
    tx_hash: txHash,
    trace_id: traceId,
    hashes: [...hashes],
    facts: { root, route: route.map(toFacts) },
    ...order,
  }
}

type RouteMessage = NewCredit['route'][number]

function toFacts({ value, fees, ...message }: RouteMessage) {
  return { ...message, value: String(value), fees: String(fees) }
}

function toMessage({ value, fees, ...message }: ReturnType<typeof toFacts>): RouteMessage {
  return { ...message, value: BigInt(value), fees: BigInt(fees) }
}

/** The facts as `toRow` writes them. */
interface Facts extends Pick<NewCredit, 'root'> {
  route: [ReturnType<typeof toFacts>, ...ReturnType<typeof toFacts>[]]
}

/** Uses as the SQL returns them. */
interface UseJson extends Omit<CreditUse, 'rawAmount' | 'usedAtMs' | 'payment'> {
  rawAmount: string
  usedAtMs: string
  payment: string | null
}

function toCredit(row: Row): StoredCredit {
  // Written by `toRow`, and selected by the statement.
  const { root, route } = JSON.parse(text(row, 'facts')) as Facts
  const uses = JSON.parse(row['uses'] ?? '[]') as UseJson[]
  const releasedRefunds = number(row, 'released')
  const [first, ...rest] = route
  return {
    id: text(row, 'id'),
    account: text(row, 'account'),
    wallet: text(row, 'wallet'),
    txHash: text(row, 'tx_hash'),
    asset: text(row, 'asset'),
    rawAmount: BigInt(text(row, 'raw_amount')),
    traceId: text(row, 'trace_id'),
    utime: number(row, 'utime'),
    route: [toMessage(first), ...rest.map(toMessage)],
    root,
    order: orderOf(row),
    seenAtMs: number(row, 'seen_ms'),
    uses: uses.map(toUse),
    ...(releasedRefunds > 0 && { releasedRefunds }),
  }
}

function toUse({ rawAmount, usedAtMs, payment, ...use }: UseJson): CreditUse {
  return {
    ...use,
    rawAmount: BigInt(rawAmount),
    usedAtMs: Number(usedAtMs),
    payment: payment ?? undefined,
  }
}

function orderOf(row: Row): NewCredit['order'] {
  if (typeof row['reference'] !== 'string') return undefined
  return {
    name: text(row, 'name'),
    merchant: text(row, 'merchant'),
    reference: text(row, 'reference'),
  }
}
