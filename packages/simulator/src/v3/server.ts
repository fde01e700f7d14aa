import type { Chain } from '../chain/chain.js'
import type { ApiReply, ApiRequest, ApiServer, ServedApi } from '../server/http-server.js'
import { MessageRejectedError } from '../chain/message-rejected-error.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import { HttpError } from '../server/http-error.js'
import { UnsupportedEntryError } from '../v2/stack.js'
import { accountHandlers } from './accounts.js'
import { actionHandlers } from './actions.js'
import { balanceHandlers } from './balance-changes.js'
import { blockHandlers } from './blocks.js'
import { contractIndex, type ContractIndex } from './contracts.js'
import { decodeHandlers } from './decode.js'
import { emulationHandlers } from './emulation.js'
import { jettonHandlers } from './jettons.js'
import { legacyHandlers } from './legacy.js'
import { messageHandlers } from './messages.js'
import { notIndexedHandlers } from './not-indexed.js'
import type { RequestHandler, V3Request } from './request.js'
import { traceHandlers } from './traces.js'
import { transactionHandlers } from './transactions.js'

/** The simulated API v3. */
export interface V3Server extends ServedApi {
  /** Number of the newest blocks that are not indexed yet; their transactions are pending. Tests set it. @default 0 */
  lagBlocks: number
  /**
   * False while the index has not detected tokens, for `metadata` and the actions of traces. Tests set it. @default
   * true
   */
  indexesJettons: boolean
}

/** Serves API v3 and the emulation service over a chain. */
export function mountV3Api(
  http: ApiServer,
  chain: Chain,
): { v3Server: V3Server; emulationServer: ServedApi } {
  const contracts = contractIndex(chain)
  const serve = (handlers: Handlers) => async (request: ApiRequest) => {
    const handle = Object.hasOwn(handlers, request.path) ? handlers[request.path] : undefined
    if (handle === undefined) return { status: 404, body: { error: 'Not Found' } }
    if (!methodsOf(request.path).includes(request.method)) {
      return { status: 405, body: { error: 'Method Not Allowed' } }
    }
    try {
      return { body: await handle(requestOf(chain, request, contracts, v3Server)) }
    } catch (error) {
      return refuse(error)
    }
  }
  const v3Server: V3Server = Object.assign(http.mount('/api/v3', serve(HANDLERS)), {
    lagBlocks: 0,
    indexesJettons: true,
  })
  return { v3Server, emulationServer: http.mount('/api/emulate/v1', serve(emulationHandlers)) }
}

type Handlers = Readonly<Record<string, RequestHandler | undefined>>

const HANDLERS: Handlers = {
  ...accountHandlers,
  ...actionHandlers,
  ...balanceHandlers,
  ...blockHandlers,
  ...decodeHandlers,
  ...jettonHandlers,
  ...legacyHandlers,
  ...messageHandlers,
  ...notIndexedHandlers,
  ...traceHandlers,
  ...transactionHandlers,
}

/** All other paths take GET. */
const METHODS: Readonly<Record<string, readonly string[] | undefined>> = {
  '/decode': ['GET', 'POST'],
  '/emulateTonConnect': ['POST'],
  '/emulateTrace': ['POST'],
  '/estimateFee': ['POST'],
  '/message': ['POST'],
  '/runGetMethod': ['POST'],
}

function methodsOf(path: string): readonly string[] {
  return METHODS[path] ?? ['GET', 'HEAD']
}

function requestOf(
  chain: Chain,
  { method, query, body }: ApiRequest,
  contracts: ContractIndex,
  { lagBlocks, indexesJettons }: V3Server,
): V3Request {
  // A chain always has a block, and the oldest one is always indexed.
  const blocks = chain.blocks.slice(0, Math.max(1, chain.blocks.length - lagBlocks))
  const [oldest, newest] = [blocks[0]!.seqno, blocks.at(-1)!.seqno]
  const isKept = ({ seqno }: RecordedTransaction): boolean => seqno >= oldest
  const isPending = ({ seqno }: RecordedTransaction): boolean => seqno > newest
  const isIndexed = (one: RecordedTransaction): boolean => isKept(one) && !isPending(one)
  const known = { chain, blocks, contracts, isKept, isIndexed, isPending, indexesJettons }
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
  if (error instanceof HttpError) return { status: error.status, body: { error: error.message } }
  if (error instanceof UnsupportedEntryError) return { status: 501, body: { error: error.message } }
  if (!(error instanceof MessageRejectedError)) throw error
  const what = 'LITE_SERVER_UNKNOWN: cannot apply external message to current state'
  const why = error.exitCode === undefined ? '' : `:\nexitcode=${error.exitCode}`
  return { status: 500, body: { error: `${what} : External message was not accepted${why}` } }
}
