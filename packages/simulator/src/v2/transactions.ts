import { loadMessage } from '@ton/core'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { base64Hash } from '../shared/encodings.js'
import {
  addressOf,
  hashOf,
  intOf,
  invalid,
  ltOf,
  type Method,
  type MethodCall,
} from './method-call.js'
import { writeStdTransaction, writeTransaction, writeTransactionId } from './write.js'

/** The methods for the transactions of an account. */
export const transactions = {
  getTransactions: (call) => page(call).map(writeTransaction),
  getTransactionsStd(call) {
    const shown = page(call)
    const last = shown.at(-1)?.transaction
    return {
      '@type': 'raw.transactions',
      transactions: shown.map(writeStdTransaction),
      previous_transaction_id: writeTransactionId(
        last?.prevTransactionLt ?? 0n,
        last?.prevTransactionHash ?? 0n,
      ),
    }
  },
  tryLocateTx: locateReceiver,
  tryLocateResultTx: locateReceiver,
  tryLocateSourceTx(call) {
    const { chain } = call
    const [source, destination] = [addressOf(call, 'source'), addressOf(call, 'destination')]
    const lt = createdLtOf(call)
    return located(
      chain.index
        .ofAccount(source)
        .find(({ transaction }) =>
          [...transaction.outMessages.values()].some(
            ({ info }) =>
              info.type === 'internal' && info.createdLt === lt && info.dest.equals(destination),
          ),
        ),
    )
  },
} satisfies Record<string, Method>

/** Returns a page of transactions, newest first. */
function page(call: MethodCall): RecordedTransaction[] {
  const { chain, dialect } = call
  const own = chain.index.ofAccount(addressOf(call))
  const limit = intOf(call, 'limit', 1, dialect === 'cpp' ? 1000 : 100) ?? 10
  const least = ltOf(call, 'to_lt') ?? 0n
  const newest = own.length - 1
  const start = startOf(call, own) ?? newest
  return own
    .slice(Math.max(0, start + 1 - limit), start + 1)
    .toReversed()
    .filter(({ transaction }) => transaction.lt > least)
}

function startOf(call: MethodCall, own: readonly RecordedTransaction[]): number | undefined {
  const lt = ltOf(call, 'lt') || undefined
  const hash = hashOf(call, 'hash')
  if (lt === undefined || hash === undefined) {
    if (lt === hash || call.dialect === 'python') return undefined
    throw invalid('lt and hash go together')
  }
  const start = own.findIndex(
    ({ transaction }) => transaction.lt === lt && base64Hash(transaction.hash()) === hash,
  )
  if (start !== -1) return start
  // Nodes do not distinguish unknown from discarded transactions.
  throw new HttpError(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction')
}

function locateReceiver(call: MethodCall): unknown {
  const [source, destination] = [addressOf(call, 'source'), addressOf(call, 'destination')]
  const lt = createdLtOf(call)
  return located(
    call.chain.index.ofAccount(destination).find(({ inMessage }) => {
      if (inMessage === undefined) return false
      const { info } = loadMessage(inMessage.beginParse())
      return info.type === 'internal' && info.createdLt === lt && info.src.equals(source)
    }),
  )
}

function createdLtOf(call: MethodCall): bigint {
  const lt = ltOf(call, 'created_lt')
  if (lt === undefined) throw invalid('parameter created_lt is required')
  return lt
}

function located(found: RecordedTransaction | undefined): unknown {
  if (found === undefined) throw new HttpError(404, 'transaction was not found')
  return writeTransaction(found)
}
