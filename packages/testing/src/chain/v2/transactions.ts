import { loadMessage } from '@ton/core'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import { base64Hash } from '../spellings.js'
import { addressOf, hashOf, intOf, invalid, ltOf, type Answer, type Question } from './question.js'
import { writeStdTransaction, writeTransaction, writeTransactionId } from './write.js'

/** The methods about an account's transactions. */
export const transactions = {
  getTransactions: (question) => page(question).map(writeTransaction),
  getTransactionsStd(question) {
    const shown = page(question)
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
  tryLocateSourceTx(question) {
    const { chain } = question
    const [source, destination] = [
      addressOf(question, 'source'),
      addressOf(question, 'destination'),
    ]
    const lt = createdLtOf(question)
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
} satisfies Record<string, Answer>

/** Newest first, from a transaction on or from the newest. */
function page(question: Question): RecordedTransaction[] {
  const { chain, dialect } = question
  const own = chain.index.ofAccount(addressOf(question))
  const limit = intOf(question, 'limit', 1, dialect === 'cpp' ? 1000 : 100) ?? 10
  const least = ltOf(question, 'to_lt') ?? 0n
  const newest = own.length - 1
  const start = startOf(question, own) ?? newest
  return own
    .slice(Math.max(0, start + 1 - limit), start + 1)
    .toReversed()
    .filter(({ transaction }) => transaction.lt > least)
}

function startOf(question: Question, own: readonly RecordedTransaction[]): number | undefined {
  const lt = ltOf(question, 'lt') || undefined
  const hash = hashOf(question, 'hash')
  if (lt === undefined || hash === undefined) {
    if (lt === hash || question.dialect === 'python') return undefined
    throw invalid('lt and hash go together')
  }
  const start = own.findIndex(
    ({ transaction }) => transaction.lt === lt && base64Hash(transaction.hash()) === hash,
  )
  if (start !== -1) return start
  // Nodes say so of one that never was and of one that they no longer keep.
  throw new Refusal(500, 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction')
}

function locateReceiver(question: Question): unknown {
  const [source, destination] = [addressOf(question, 'source'), addressOf(question, 'destination')]
  const lt = createdLtOf(question)
  return located(
    question.chain.index.ofAccount(destination).find(({ inMessage }) => {
      if (inMessage === undefined) return false
      const { info } = loadMessage(inMessage.beginParse())
      return info.type === 'internal' && info.createdLt === lt && info.src.equals(source)
    }),
  )
}

function createdLtOf(question: Question): bigint {
  const lt = ltOf(question, 'created_lt')
  if (lt === undefined) throw invalid('parameter created_lt is required')
  return lt
}

function located(found: RecordedTransaction | undefined): unknown {
  if (found === undefined) throw new Refusal(404, 'transaction was not found')
  return writeTransaction(found)
}
