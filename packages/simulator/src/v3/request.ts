import type { ChainBlock } from '../chain/block.js'
import type { Chain } from '../chain/chain.js'
import type { ApiRequest } from '../server/http-server.js'
import type { RecordedTransaction } from '../chain/recorded-transaction.js'
import type { ContractIndex } from './contracts.js'

/** A request to the index, with the state of the index. */
export interface V3Request {
  chain: Chain
  method: string
  query: URLSearchParams
  body: ApiRequest['body']
  /** The indexed masterchain blocks, oldest first. */
  blocks: readonly ChainBlock[]
  /** The transactions of the indexed blocks, in order of execution. */
  indexed: readonly RecordedTransaction[]
  /** The transactions of blocks that are not indexed yet. */
  pending: readonly RecordedTransaction[]
  /** True when the chain still has the transaction. */
  isKept: (one: RecordedTransaction) => boolean
  /** True when `indexed` contains the transaction. */
  isIndexed: (one: RecordedTransaction) => boolean
  /** True when `pending` contains the transaction. */
  isPending: (one: RecordedTransaction) => boolean
  contracts: ContractIndex
  /** False while the index has not detected tokens. */
  indexesJettons: boolean
}

/** Handles the requests of one path and returns the response body. */
export type RequestHandler = (request: V3Request) => unknown
