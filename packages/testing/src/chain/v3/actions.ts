import { Refusal } from '../refusal.js'
import { rawAddress } from '../spellings.js'
import { withMetadata } from './address-book.js'
import { classify, type Action } from './classify.js'
import { hashOf } from './facts.js'
import type { Json } from './json.js'
import { timedPage } from './page.js'
import { addressOf, flagOf, hashesOf } from './parameters.js'
import type { Answer, Question } from './question.js'
import { pendingTraces, tracesAsked, type KnownTrace } from './traces.js'
import { accountsIn, idOf, writeAction } from './write-action.js'
import { writeTransaction } from './write-transaction.js'

/** An action, and the trace that it is a part of. */
interface ActionRow {
  trace: KnownTrace
  action: Action
}

/** What the index tells of actions. */
export const actionAnswers = {
  async '/actions'(question) {
    const { query } = question
    const account = addressOf(query, 'account')
    const [ids, hashes] = [hashesOf(query, 'action_id'), hashesOf(query, 'tx_hash')]
    const rows: ActionRow[] = []
    // An action may be about an account that has no transaction in its trace.
    for (const trace of tracesAsked(withoutAccount(question))) {
      if (trace.pendingMessages > 0) continue
      for (const action of await classify(question, trace)) rows.push({ trace, action })
    }
    const isAskedType = typeFilter(query)
    const found = rows.filter(
      ({ action }) =>
        isAskedType(action) &&
        (account === undefined || accountsIn(action).includes(rawAddress(account))) &&
        (ids.length === 0 || ids.includes(idOf(action))) &&
        (hashes.length === 0 || action.transactions.some((one) => hashes.includes(hashOf(one)))),
    )
    const shown = timedPage(
      query,
      found.map((row) => {
        const { lt, now } = row.trace.last.transaction
        return { row, lt, utime: now, tie: tieOf(row) }
      }),
      { areTiesAlong: true },
    )
    return withMetadata(question, { actions: shown.map((row) => writeRow(question, row)) })
  },
  async '/pendingActions'(question) {
    const isAskedType = typeFilter(question.query)
    const rows: ActionRow[] = []
    for (const trace of pendingTraces(question)) {
      for (const action of await classify(question, trace)) {
        if (isAskedType(action)) rows.push({ trace, action })
      }
    }
    return withMetadata(question, { actions: rows.map((row) => writeRow(question, row)) })
  },
} satisfies Record<string, Answer>

/** Actions of a trace are told in the order in which they ended. */
function tieOf({ trace, action }: ActionRow): string {
  const { lt } = action.transactions.at(-1)!.transaction
  return [hashOf(trace.root), lt.toString().padStart(20, '0'), idOf(action)].join(' ')
}

function withoutAccount(question: Question): Question {
  const query = new URLSearchParams(question.query)
  query.delete('account')
  return { ...question, query }
}

/** @throws {Refusal} 422 for what cannot be a type */
function typeFilter(query: URLSearchParams): (action: Action) => boolean {
  const [wanted, unwanted] = [query.getAll('action_type'), query.getAll('exclude_action_type')]
  for (const type of [...wanted, ...unwanted]) {
    if (!/^[\w.]+$/.test(type)) throw new Refusal(422, `invalid action type: ${type}`)
  }
  return ({ type }) => (wanted.length === 0 || wanted.includes(type)) && !unwanted.includes(type)
}

function writeRow({ query, isPending }: Question, { trace, action }: ActionRow): Json {
  return {
    ...writeAction(trace, action, isPending(trace.last)),
    ...(flagOf(query, 'include_accounts') && { accounts: accountsIn(action) }),
    ...(flagOf(query, 'include_transactions') && {
      transactions_full: action.transactions.map((one) => writeTransaction(one, isPending(one))),
    }),
  }
}
