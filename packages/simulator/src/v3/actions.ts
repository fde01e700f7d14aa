import { HttpError } from '../server/http-error.js'
import { rawAddress } from '../shared/encodings.js'
import { withMetadata } from './address-book.js'
import { classify, type Action } from './classify.js'
import { hashOf } from './facts.js'
import type { Json } from './json.js'
import { timedPage } from './page.js'
import { addressOf, flagOf, hashesOf } from './parameters.js'
import type { RequestHandler, V3Request } from './request.js'
import type { KnownTrace } from './known-trace.js'
import { pendingTraces, tracesRequested } from './traces.js'
import { accountsIn, idOf, writeAction } from './write-action.js'
import { writeTransaction } from './write-transaction.js'

/** An action with its trace. */
interface ActionRow {
  trace: KnownTrace
  action: Action
}

/** The endpoints for actions. */
export const actionHandlers = {
  async '/actions'(request) {
    const { query } = request
    const account = addressOf(query, 'account')
    const [ids, hashes] = [hashesOf(query, 'action_id'), hashesOf(query, 'tx_hash')]
    const rows: ActionRow[] = []
    // An action may refer to an account without a transaction in its trace.
    for (const trace of tracesRequested(withoutAccount(request))) {
      if (trace.pendingMessages > 0) continue
      for (const action of await classify(request, trace)) rows.push({ trace, action })
    }
    const matchesType = typeFilter(query)
    const found = rows.filter(
      ({ action }) =>
        matchesType(action) &&
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
    return withMetadata(request, { actions: shown.map((row) => writeRow(request, row)) })
  },
  async '/pendingActions'(request) {
    const matchesType = typeFilter(request.query)
    const rows: ActionRow[] = []
    for (const trace of pendingTraces(request)) {
      for (const action of await classify(request, trace)) {
        if (matchesType(action)) rows.push({ trace, action })
      }
    }
    return withMetadata(request, { actions: rows.map((row) => writeRow(request, row)) })
  },
} satisfies Record<string, RequestHandler>

/** Orders the actions of a trace by their last transaction. */
function tieOf({ trace, action }: ActionRow): string {
  const { lt } = action.transactions.at(-1)!.transaction
  return [hashOf(trace.root), lt.toString().padStart(20, '0'), idOf(action)].join(' ')
}

function withoutAccount(request: V3Request): V3Request {
  const query = new URLSearchParams(request.query)
  query.delete('account')
  return { ...request, query }
}

/** @throws {HttpError} 422 for a malformed type */
function typeFilter(query: URLSearchParams): (action: Action) => boolean {
  const [wanted, unwanted] = [query.getAll('action_type'), query.getAll('exclude_action_type')]
  for (const type of [...wanted, ...unwanted]) {
    if (!/^[\w.]+$/.test(type)) throw new HttpError(422, `invalid action type: ${type}`)
  }
  return ({ type }) => (wanted.length === 0 || wanted.includes(type)) && !unwanted.includes(type)
}

function writeRow({ query, isPending }: V3Request, { trace, action }: ActionRow): Json {
  return {
    ...writeAction(trace, action, isPending(trace.last)),
    ...(flagOf(query, 'include_accounts') && { accounts: accountsIn(action) }),
    ...(flagOf(query, 'include_transactions') && {
      transactions_full: action.transactions.map((one) => writeTransaction(one, isPending(one))),
    }),
  }
}
