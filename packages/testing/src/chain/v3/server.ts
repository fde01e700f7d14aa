import type { Chain } from '../chain.js'
import type { ApiReply, ApiRequest, ApiServer, ServedApi } from '../http-server.js'
import { MessageRejectedError } from '../message-rejected-error.js'
import type { RecordedTransaction } from '../recorded-transaction.js'
import { Refusal } from '../refusal.js'
import { UnsupportedEntryError } from '../v2/stack.js'
import { accountAnswers } from './accounts.js'
import { actionAnswers } from './actions.js'
import { balanceAnswers } from './balance-changes.js'
import { blockAnswers } from './blocks.js'
import { contractIndex, type ContractIndex } from './contracts.js'
import { decodeAnswers } from './decode.js'
import { jettonAnswers } from './jettons.js'
import { legacyAnswers } from './legacy.js'
import { messageAnswers } from './messages.js'
import { notIndexedAnswers } from './not-indexed.js'
import type { Answer, Question } from './question.js'
import { traceAnswers } from './traces.js'
import { transactionAnswers } from './transactions.js'

/** An index of a chain. */
export interface V3Server extends ServedApi {
  /**
   * How many of the newest blocks the index has not read yet: what is in them is pending.
   * Tests set it. @default 0
   */
  lagBlocks: number
  /** Whether the index has found out about tokens, for `metadata` and the actions of traces. Tests set it. @default true */
  tellsJettons: boolean
}

/** Serves a chain as API v3 does. */
export function mountV3Api(http: ApiServer, chain: Chain): V3Server {
  const contracts = contractIndex(chain)
  const running = http.mount('/api/v3', async (request) => {
    const answer = Object.hasOwn(ANSWERS, request.path) ? ANSWERS[request.path] : undefined
    if (answer === undefined) return { status: 404, body: { error: 'Not Found' } }
    if (!methodsOf(request.path).includes(request.method)) {
      return { status: 405, body: { error: 'Method Not Allowed' } }
    }
    try {
      return { body: await answer(questionOf(chain, request, contracts, server)) }
    } catch (error) {
      return refuse(error)
    }
  })
  const server: V3Server = Object.assign(running, { lagBlocks: 0, tellsJettons: true })
  return server
}

const ANSWERS: Readonly<Record<string, Answer | undefined>> = {
  ...accountAnswers,
  ...actionAnswers,
  ...balanceAnswers,
  ...blockAnswers,
  ...decodeAnswers,
  ...jettonAnswers,
  ...legacyAnswers,
  ...messageAnswers,
  ...notIndexedAnswers,
  ...traceAnswers,
  ...transactionAnswers,
}

/** The others are read by GET. */
const METHODS: Readonly<Record<string, readonly string[] | undefined>> = {
  '/decode': ['GET', 'POST'],
  '/estimateFee': ['POST'],
  '/message': ['POST'],
  '/runGetMethod': ['POST'],
}

function methodsOf(path: string): readonly string[] {
  return METHODS[path] ?? ['GET', 'HEAD']
}

function questionOf(
  chain: Chain,
  { method, query, body }: ApiRequest,
  contracts: ContractIndex,
  { lagBlocks, tellsJettons }: V3Server,
): Question {
  // There is always a block, and the oldest is always read.
  const blocks = chain.blocks.slice(0, Math.max(1, chain.blocks.length - lagBlocks))
  const [oldest, newest] = [blocks[0]!.seqno, blocks.at(-1)!.seqno]
  const isKept = ({ seqno }: RecordedTransaction): boolean => seqno >= oldest
  const isPending = ({ seqno }: RecordedTransaction): boolean => seqno > newest
  const isIndexed = (one: RecordedTransaction): boolean => isKept(one) && !isPending(one)
  const known = { chain, blocks, contracts, isKept, isIndexed, isPending, tellsJettons }
  return {
    ...known,
    method,
    query,
    body,
    indexed: lagBlocks === 0 ? chain.transactions : chain.transactions.filter(isIndexed),
    pending: lagBlocks === 0 ? [] : chain.transactions.filter(isPending),
  }
}

function refuse(error: unknown): ApiReply {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.message } }
  if (error instanceof UnsupportedEntryError) return { status: 501, body: { error: error.message } }
  if (!(error instanceof MessageRejectedError)) throw error
  const what = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'
  const why = error.exitCode === undefined ? '' : `:\nexitcode=${error.exitCode}`
  return { status: 500, body: { error: `${what} : External message was not accepted${why}` } }
}
