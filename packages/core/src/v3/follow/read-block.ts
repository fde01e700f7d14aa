import type { ResultOf } from '../../endpoint/endpoint.js'
import { ValidationError } from '../../errors/api.js'
import type { LearnedPageSize } from '../../paging/page-source.js'
import type { RequestOptions } from '../../transport/options.js'
import type { V3Call } from '../call.js'
import { blockchainData } from '../endpoints/blockchain-data.js'

type Transactions = ResultOf<typeof blockchainData.transactionsByMasterchainBlock>

/** A masterchain block with its transactions and those of the shard blocks that it brought, the oldest first. */
export interface MasterchainBlock {
  seqno: number
  transactions: Transactions['transactions']
  /** What is known of the accounts, by raw address in upper case. */
  address_book: NonNullable<Transactions['address_book']>
}

/** What every server takes. */
const SAFE_PAGE = 100

/**
 * Reads a masterchain block whole. It does not change, so its pages follow each other by offset. A page that is not full
 * says nothing: servers may answer fewer rows than they are asked for, so an empty one is the end.
 * @throws {NotFoundError} when the index does not have it.
 */
export async function readBlock(
  call: V3Call,
  { seqno, pageSize, learned }: { seqno: number; pageSize: number; learned: LearnedPageSize },
  options: RequestOptions,
): Promise<MasterchainBlock> {
  const block: MasterchainBlock = { seqno, transactions: [], address_book: {} }
  for (;;) {
    const limit = Math.min(pageSize, learned.max)
    try {
      const params = { seqno, sort: 'asc', limit, offset: block.transactions.length } as const
      const page = await call(blockchainData.transactionsByMasterchainBlock, params, options)
      block.transactions.push(...page.transactions)
      Object.assign(block.address_book, page.address_book)
      if (page.transactions.length === 0) return block
    } catch (error) {
      if (!(error instanceof ValidationError) || limit <= SAFE_PAGE) throw error
      learned.max = SAFE_PAGE
    }
  }
}
