import { rootOf, type RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { rawAddress } from '../shared/encodings.js'
import { classify } from './classify.js'
import { rootsOf, transactionOf } from './look-up.js'
import { hashesOf } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'
import { knownTrace } from './known-trace.js'
import { idOf } from './write-action.js'

/** The endpoint for balance changes. */
export const balanceHandlers = {
  async '/balanceChanges'(request) {
    const rows = await requestedTransactions(request)
    const changes = new Map<string, bigint>()
    const fees = new Map<string, bigint>()
    const jettons = new Map<string, Map<string, bigint>>()
    for (const one of rows) {
      const account = rawAddress(one.address)
      add(changes, account, one.after.balance - one.before.balance)
      add(fees, account, one.transaction.totalFees.coins)
      const [before, after] = await Promise.all(
        [one.before, one.after].map((view) => request.contracts.contractOf(one.address, view)),
      )
      const wallet = after ?? before
      if (wallet?.kind !== 'jetton_wallet') continue
      const owned = jettons.get(rawAddress(wallet.owner)) ?? new Map<string, bigint>()
      jettons.set(rawAddress(wallet.owner), owned)
      const balances = [before, after].map((one) =>
        one?.kind === 'jetton_wallet' ? one.balance : 0n,
      )
      add(owned, rawAddress(wallet.master), balances[1]! - balances[0]!)
    }
    return writeAnswer({ changes, fees, jettons })
  },
} satisfies Record<string, RequestHandler>

/** @throws {HttpError} 422 without an id, 404 for an unknown id */
async function requestedTransactions(request: V3Request): Promise<readonly RecordedTransaction[]> {
  const { isIndexed } = request
  const [traceId] = hashesOf(request.query, 'trace_id')
  const [actionId] = hashesOf(request.query, 'action_id')
  if ((traceId === undefined) === (actionId === undefined)) {
    throw new HttpError(422, 'exactly one of trace_id, action_id should be specified')
  }
  if (traceId !== undefined) {
    const root = transactionOf(request, traceId)
    if (root === undefined || rootOf(root) !== root) throw new HttpError(404, 'trace not found')
    return knownTrace(root, isIndexed).transactions
  }
  for (const root of rootsOf(request.indexed).filter(isIndexed)) {
    for (const action of await classify(request, knownTrace(root, isIndexed))) {
      if (idOf(action) === actionId) return action.transactions
    }
  }
  throw new HttpError(404, `action ${String(actionId)} not found`)
}

function add(amounts: Map<string, bigint>, key: string, amount: bigint): void {
  amounts.set(key, (amounts.get(key) ?? 0n) + amount)
}

interface Changes {
  changes: ReadonlyMap<string, bigint>
  fees: ReadonlyMap<string, bigint>
  jettons: ReadonlyMap<string, ReadonlyMap<string, bigint>>
}

/** Writes nanocoins as JSON numbers, which may have more digits than `JSON.stringify` keeps. */
function writeAnswer({ changes, fees, jettons }: Changes): string {
  const owned = [...jettons].map(
    ([owner, amounts]) => [owner, writeAmounts(amounts, quote)] as const,
  )
  return `{"changes":${writeAmounts(changes, String)},"fees":${writeAmounts(fees, String)},"jettons":${writeObject(owned)}}`
}

function writeAmounts(amounts: ReadonlyMap<string, bigint>, write: (value: bigint) => string) {
  return writeObject(
    [...amounts]
      .filter(([, value]) => value !== 0n)
      .map(([key, value]) => [key, write(value)] as const),
  )
}

function quote(value: bigint): string {
  return `"${value}"`
}

function writeObject(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, text]) => `"${key}":${text}`).join(',')}}`
}
