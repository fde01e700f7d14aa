import type { ChainBlock } from '../block.js'
import type { Chain } from '../chain.js'
import type { ApiRequest } from '../http-server.js'
import type { RecordedTransaction } from '../recorded-transaction.js'
import type { ContractIndex } from './contracts.js'

/** A question, and what the index knows when it is asked. */
export interface Question {
  chain: Chain
  method: string
  query: URLSearchParams
  body: ApiRequest['body']
  /** The masterchain blocks that the index has read, the oldest first. */
  blocks: readonly ChainBlock[]
  /** The transactions of these blocks, in the order in which they took place. */
  indexed: readonly RecordedTransaction[]
  /** What is in blocks that it has not read. */
  pending: readonly RecordedTransaction[]
  /** Whether a transaction has not fallen out of the chain. */
  isKept: (one: RecordedTransaction) => boolean
  /** Whether it is one of `indexed`. */
  isIndexed: (one: RecordedTransaction) => boolean
  /** Whether it is one of `pending`. */
  isPending: (one: RecordedTransaction) => boolean
  contracts: ContractIndex
  /** Whether answers tell the tokens among their addresses. */
  tellsJettons: boolean
}

/** What a path answers. */
export type Answer = (question: Question) => unknown
