import { rootOf, type RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import { rawAddress } from '../spellings.js'
import { classify } from './classify.js'
import { rootsOf, transactionOf } from './look-up.js'
import { hashesOf } from './parameters.js'
import type { Answer, Question } from './question.js'
import { knownTrace } from './traces.js'
import { idOf } from './write-action.js'

/** What the index tells of balances. */
export const balanceAnswers = {
  async '/balanceChanges'(question) {
    const rows = await askedTransactions(question)
    const changes = new Map<string, bigint>()
    const fees = new Map<string, bigint>()
    const jettons = new Map<string, Map<string, bigint>>()
    for (const one of rows) {
      const account = rawAddress(one.address)
      add(changes, account, one.after.balance - one.before.balance)
      add(fees, account, one.transaction.totalFees.coins)
      const [before, after] = await Promise.all(
        [one.before, one.after].map((view) => question.contracts.contractOf(one.address, view)),
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
} satisfies Record<string, Answer>

/** @throws {Refusal} 422 without an id, 404 for one that is unknown */
async function askedTransactions(question: Question): Promise<readonly RecordedTransaction[]> {
  const { isIndexed } = question
  const [traceId] = hashesOf(question.query, 'trace_id')
  const [actionId] = hashesOf(question.query, 'action_id')
  if ((traceId === undefined) === (actionId === undefined)) {
    throw new Refusal(422, 'exactly one of trace_id, action_id should be specified')
  }
  if (traceId !== undefined) {
    const root = transactionOf(question, traceId)
    if (root === undefined || rootOf(root) !== root) throw new Refusal(404, 'trace not found')
    return knownTrace(root, isIndexed).transactions
  }
  for (const root of rootsOf(question.indexed).filter(isIndexed)) {
    for (const action of await classify(question, knownTrace(root, isIndexed))) {
      if (idOf(action) === actionId) return action.transactions
    }
  }
  throw new Refusal(404, `action ${String(actionId)} not found`)
}

function add(amounts: Map<string, bigint>, key: string, amount: bigint): void {
  amounts.set(key, (amounts.get(key) ?? 0n) + amount)
}

interface Changes {
  changes: ReadonlyMap<string, bigint>
  fees: ReadonlyMap<string, bigint>
  jettons: ReadonlyMap<string, ReadonlyMap<string, bigint>>
}

/** Nanocoins are numbers here, of more digits than `JSON.stringify` writes. */
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
