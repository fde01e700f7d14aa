import type { TonplugError } from '../../shared/tonplug-error.js'
import { isApiError, ResponseShapeError } from '../errors/api.js'
import { cancelableLoop } from '../paging/cancelable-loop.js'
import { readCursor, type Cursor, type Position } from '../paging/cursor.js'
import { invalidPage } from '../paging/errors.js'
import type { LearnedPageSize } from '../paging/pages.js'
import { checkOptions, type OptionShape } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import { checkParams, paramsObject } from '../schema/params-object.js'
import { intParam, seqnoParam } from '../schema/params.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { V3Call } from './call.js'
import { blockchainData } from './endpoints/blockchain-data.js'
import type { V3AddressBook, V3Transaction } from './generated/types.js'
import type { ServerCalls } from './server-calls.js'
import { UnreadableRowError } from '../follow/errors.js'
import { createPollBackoff } from '../follow/poll-backoff.js'
import { watchOptions, type Watch, type WatchOptions, type WatchSource } from '../follow/watch.js'

/** A masterchain block with its transactions and the transactions of its shard blocks, oldest first. */
export interface MasterchainBlock {
  seqno: number
  transactions: V3Transaction[]
  /** Metadata of the accounts, by raw address in upper case. */
  address_book: V3AddressBook
}

/** Options of a watch of masterchain blocks. */
export interface BlockWatchOptions extends WatchOptions {
  /** Number of blocks to request ahead and keep in memory. @default 2 */
  prefetch?: number | undefined
}

/**
 * Creates a watch of masterchain blocks.
 * @throws {ConfigurationError} at once for an unknown or invalid option.
 * @throws {InvalidParamsError} at once for an invalid seqno or cursor, or an unknown parameter.
 */
export type WatchBlocks = (
  params?: {
    /** The first block. @default the newest one at the first poll */
    seqno?: number | undefined
  },
  options?: BlockWatchOptions,
) => Watch<MasterchainBlock>

/** The last delivered block. */
interface BlockPosition extends Position {
  readonly seqno: number
}

/** A watch of blocks, with its options. */
interface WatchSetup {
  source: WatchSource<ServerCalls>
  learned: LearnedPageSize
  pollMs: number
  prefetch: number
  pageSize: number
  request: RequestOptions
  onError: WatchOptions['onError']
}

const NAME = blockchainData.transactionsByMasterchainBlock.name
const blockWatchOptions: OptionShape<BlockWatchOptions> = {
  ...watchOptions(1),
  prefetch: optionalParam(intParam(0, 100)),
}
const blockWatchParams = paramsObject({ seqno: optionalParam(seqnoParam) })
/** A page size that every server accepts. */
const SAFE_PAGE_SIZE = 100

/**
 * Creates the watch of masterchain blocks: every block in order. It waits for a block that the index does not have yet. The
 * index writes a block with all of its transactions at once, but several blocks in parallel, so a block may be missing
 * while later ones exist.
 * Source: the index worker, insertion of blocks.
 */
export function createBlockWatch(source: WatchSource<ServerCalls>): WatchBlocks {
  const learned: LearnedPageSize = { max: 1000 }
  return (params = {}, options = {}) => {
    checkOptions(blockWatchOptions, options)
    checkParams(NAME, blockWatchParams, params)
    const { seqno } = params
    const { cursor, pollMs = 1000, prefetch = 2, pageSize = 1000, onError, ...request } = options
    const { position } = readCursor({ endpoint: NAME, filter: undefined }, cursor, parsePosition)
    return startWatch(
      { source, learned, pollMs, prefetch, pageSize, onError, request },
      position?.seqno,
      position === undefined ? seqno : position.seqno + 1,
    )
  }
}

function parsePosition({ seqno }: Position): BlockPosition | undefined {
  return Number.isInteger(seqno) ? { seqno: Number(seqno) } : undefined
}

function cursorAfter(seqno: number | undefined): Cursor {
  return { endpoint: NAME, position: seqno === undefined ? null : { seqno }, isDone: false }
}

/**
 * @param delivered the last delivered block
 * @param next the next block; absent before the first poll, unless the caller chose the start
 */
function startWatch(
  watch: WatchSetup,
  delivered: number | undefined,
  next: number | undefined,
): Watch<MasterchainBlock> {
  const { source, pollMs, onError, request } = watch

  async function* blocks(signal: AbortSignal): AsyncGenerator<MasterchainBlock, void, undefined> {
    const index = createIndex(watch, { priority: 'low', ...request, signal })
    const { clock } = source
    // The block is not written yet. A block that the index has removed never comes back.
    const isTransientHere = (error: TonplugError): boolean =>
      isApiError(error, 'ERR_TONPLUG_NOT_FOUND') &&
      error.endpoint === NAME &&
      (next ?? 0) >= index.firstSeqno()
    const backoff = createPollBackoff({ clock, pollMs, onError, signal, isTransientHere })
    for (;;) {
      let block: MasterchainBlock | undefined
      try {
        next ??= await index.lastSeqno()
        block = await index.read(next)
        if (block === undefined) await backoff.wait()
      } catch (error) {
        await backoff.waitAfterError(asUnreadable(error, next))
      }
      if (block === undefined) continue
      backoff.reset()
      signal.throwIfAborted()
      delivered = block.seqno
      next = block.seqno + 1
      yield block
    }
  }

  return {
    [Symbol.asyncIterator]: () => cancelableLoop(blocks, request.signal),
    cursor: () => cursorAfter(delivered),
  }
}

/** Creates a reader of the index's masterchain blocks that prefetches the following ones. */
function createIndex(watch: WatchSetup, request: RequestOptions) {
  const { source, prefetch } = watch
  const blocks = new Map<number, Promise<MasterchainBlock>>()
  let first = 0
  let last = -1

  const poll = async (): Promise<number> => {
    const info = await source.open().call(blockchainData.masterchainInfo, {}, request)
    first = info.first.seqno
    last = Math.max(last, info.last.seqno)
    return last
  }
  const start = (seqno: number): Promise<MasterchainBlock> => {
    const started = blocks.get(seqno)
    if (started !== undefined) return started
    const block = readBlock(source.open().call, { seqno, ...watch }, request)
    blocks.set(seqno, block)
    // A failed block is requested again when it is next.
    block.catch(() => blocks.delete(seqno))
    return block
  }

  return {
    firstSeqno: () => first,
    lastSeqno: poll,
    /** Returns the block and starts the next ones; `undefined` if the index does not have it yet. */
    async read(seqno: number): Promise<MasterchainBlock | undefined> {
      if (seqno > last && seqno > (await poll())) return undefined
      const block = start(seqno)
      for (let ahead = seqno + 1; ahead <= Math.min(last, seqno + prefetch); ahead++) {
        void start(ahead).catch(() => undefined)
      }
      const read = await block
      blocks.delete(seqno)
      return read
    },
  }
}

/**
 * Reads a whole masterchain block. It does not change, so its pages are read by offset. A short page is not the end, since
 * servers may return fewer rows than requested; one without new rows is.
 * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the block.
 * @throws {ResponseShapeError} if the server ignores the offset and the block has more rows than a page.
 */
async function readBlock(
  call: V3Call,
  { seqno, pageSize, learned }: { seqno: number; pageSize: number; learned: LearnedPageSize },
  options: RequestOptions,
): Promise<MasterchainBlock> {
  const block: MasterchainBlock = { seqno, transactions: [], address_book: {} }
  const known = new Set<string>()
  for (;;) {
    const limit = Math.min(pageSize, learned.max)
    try {
      const params = { seqno, sort: 'asc', limit, offset: block.transactions.length } as const
      const page = await call(blockchainData.transactionsByMasterchainBlock, params, options)
      const rows = page.transactions.filter(({ hash }) => !known.has(hash))
      for (const { hash } of rows) known.add(hash)
      block.transactions.push(...rows)
      Object.assign(block.address_book, page.address_book)
      if (rows.length > 0) continue
      if (page.transactions.length < limit) return block
      throw invalidPage(NAME, 'the page at its offset: it is full and repeats known rows')
    } catch (error) {
      if (!isApiError(error, 'ERR_TONPLUG_VALIDATION') || limit <= SAFE_PAGE_SIZE) throw error
      learned.max = SAFE_PAGE_SIZE
    }
  }
}

/** Adds the block and a cursor after it to an error about an unreadable block. */
function asUnreadable(error: unknown, seqno: number | undefined): unknown {
  if (!(error instanceof ResponseShapeError) || error.endpoint !== NAME) return error
  const row = seqno === undefined ? undefined : `of block ${seqno}`
  const cursor = seqno === undefined ? undefined : cursorAfter(seqno)
  return new UnreadableRowError(error, { row, cursor })
}
