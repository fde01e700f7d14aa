import { NotFoundError, ResponseShapeError } from '../../errors/api.js'
import { UnreadableRowError } from '../../errors/follow.js'
import type { Cursor } from '../../paging/cursor.js'
import { leavable } from '../../paging/leavable.js'
import type { LearnedPageSize } from '../../paging/page-source.js'
import type { Position } from '../../paging/strategy.js'
import type { RequestOptions } from '../../transport/options.js'
import { blockchainData } from '../endpoints/blockchain-data.js'
import type { Follow, FollowOptions } from './follow.js'
import {
  checkFollowOptions,
  checkInteger,
  readFollowCursor,
  refuseUnknownParams,
} from './follow-options.js'
import type { FollowSource } from './follow-source.js'
import { createPatience } from './patience.js'
import { readBlock, type MasterchainBlock } from './read-block.js'
import { shapeFacts } from './shape-facts.js'

/** Options of a follow of masterchain blocks. */
export interface BlockFollowOptions extends FollowOptions {
  /** How many blocks are requested ahead while the current one is used, and kept in memory. @default 2 */
  prefetch?: number | undefined
}

/**
 * Makes a follow of masterchain blocks.
 * @throws {ConfigurationError} at once for an option that does not exist.
 * @throws {InvalidParamsError} at once for a wrong seqno, a wrong option, a wrong or unknown parameter, or a wrong cursor.
 */
export type FollowBlocks = (
  params?: {
    /** The first block. @default the newest one at the first poll */
    seqno?: number | undefined
  },
  options?: BlockFollowOptions,
) => Follow<MasterchainBlock>

/** The last block delivered. */
interface BlockPosition extends Position {
  readonly seqno: number
}

/** A follow as the caller wants it, checked. */
interface FollowWanted {
  source: FollowSource
  learned: LearnedPageSize
  pollMs: number
  prefetch: number
  pageSize: number
  request: RequestOptions
  onError: FollowOptions['onError']
}

/** How far a follow has come. */
interface Place {
  /** The last block delivered. */
  delivered: number | undefined
  /** The block that comes next; absent before the first poll, unless it was told where to begin. */
  next: number | undefined
}

const NAME = blockchainData.transactionsByMasterchainBlock.name
const MAX_SEQNO = 2 ** 31 - 1

/**
 * Makes the follow of masterchain blocks: every one in its order, none left out. A block that the index does not have
 * yet is waited for. The index writes a block with all of its transactions at once, but several blocks side by side, so
 * one may be missing while later ones are there.
 * Source: the index worker, insertion of blocks.
 */
export function followBlocks(source: FollowSource): FollowBlocks {
  const learned: LearnedPageSize = { max: 1000 }
  return (params = {}, options = {}) => {
    checkFollowOptions(options, ['prefetch'])
    refuseUnknownParams(NAME, params, ['seqno'], {})
    const { seqno } = params
    const { cursor, pollMs = 1000, prefetch = 2, pageSize = 1000, onError, ...request } = options
    checkInteger(NAME, { name: 'pollMs', value: pollMs, least: 1, most: 86_400_000 })
    checkInteger(NAME, { name: 'prefetch', value: prefetch, least: 0, most: 100 })
    checkInteger(NAME, { name: 'pageSize', value: pageSize, least: 1, most: 1000 })
    checkInteger(NAME, { name: 'seqno', value: seqno ?? 1, least: 1, most: MAX_SEQNO })
    const stored = readFollowCursor({ endpoint: NAME, filter: undefined }, cursor, parsePosition)
    return startFollow(
      { source, learned, pollMs, prefetch, pageSize, onError, request },
      { delivered: stored?.seqno, next: stored === undefined ? seqno : stored.seqno + 1 },
    )
  }
}

function startFollow(wanted: FollowWanted, place: Place): Follow<MasterchainBlock> {
  async function* blocks(signal: AbortSignal): AsyncGenerator<MasterchainBlock, void, undefined> {
    const nextBlock = blockReader(wanted, place, signal)
    for (;;) {
      const block = await nextBlock()
      if (block === undefined) continue
      signal.throwIfAborted()
      place.delivered = block.seqno
      place.next = block.seqno + 1
      yield block
    }
  }

  return {
    [Symbol.asyncIterator]: () => leavable(blocks, wanted.request.signal),
    cursor: () => cursorBehind(place.delivered),
  }
}

function cursorBehind(seqno: number | undefined): Cursor {
  return { endpoint: NAME, position: seqno === undefined ? null : { seqno }, isDone: false }
}

/** Answers the next block, or `undefined` after a wait for it. */
function blockReader(
  wanted: FollowWanted,
  place: Place,
  signal: AbortSignal,
): () => Promise<MasterchainBlock | undefined> {
  const { source, pollMs, onError } = wanted
  const index = createIndex(wanted, { priority: 'low', ...wanted.request, signal })
  const patience = createPatience({
    clock: source.clock,
    pollMs,
    onError,
    signal,
    // Not written yet; what the index has no longer is not waited for.
    isPassing: (error) =>
      error instanceof NotFoundError &&
      error.endpoint === NAME &&
      (place.next ?? 0) >= index.firstSeqno(),
  })
  return async () => {
    try {
      place.next ??= await index.lastSeqno()
      const block = await index.read(place.next)
      if (block === undefined) await patience.rest()
      else patience.recover()
      return block
    } catch (error) {
      await patience.outwait(explain(error, place.next))
      return undefined
    }
  }
}

/** The masterchain blocks of the index. */
function createIndex(
  { source, prefetch, pageSize, learned }: FollowWanted,
  request: RequestOptions,
) {
  const blocks = new Map<number, Promise<MasterchainBlock>>()
  let first = 0
  let last = -1

  const poll = async (): Promise<number> => {
    const info = await source.open().call(blockchainData.masterchainInfo, {}, request)
    first = info.first.seqno
    last = Math.max(last, info.last.seqno)
    return last
  }
  const begin = (seqno: number): Promise<MasterchainBlock> => {
    const begun = blocks.get(seqno)
    if (begun !== undefined) return begun
    const block = readBlock(source.open().call, { seqno, pageSize, learned }, request)
    blocks.set(seqno, block)
    // What failed is asked for again when its turn has come.
    block.catch(() => blocks.delete(seqno))
    return block
  }

  return {
    firstSeqno: () => first,
    lastSeqno: poll,
    /** The block, with the next ones begun; `undefined` when the index is not that far. */
    async read(seqno: number): Promise<MasterchainBlock | undefined> {
      if (seqno > last && seqno > (await poll())) return undefined
      const block = begin(seqno)
      for (let ahead = seqno + 1; ahead <= Math.min(last, seqno + prefetch); ahead++) {
        void begin(ahead).catch(() => undefined)
      }
      const read = await block
      blocks.delete(seqno)
      return read
    },
  }
}

/** Says which block it is that cannot be read, and how to go on without it. */
function explain(error: unknown, seqno: number | undefined): unknown {
  if (!(error instanceof ResponseShapeError) || error.endpoint !== NAME) return error
  const row = seqno === undefined ? undefined : `of block ${seqno}`
  const cursor = seqno === undefined ? undefined : cursorBehind(seqno)
  return new UnreadableRowError({ ...shapeFacts(error), row, cursor, cause: error })
}

function parsePosition({ seqno }: Position): BlockPosition | undefined {
  return Number.isInteger(seqno) ? { seqno: Number(seqno) } : undefined
}
