import { unlessNotFound } from '../../../toncenter/chain/find-trace.js'
import type { RequestOptions } from '../../../toncenter/transport/call-options.js'
import type { V3Client } from '../../../toncenter/v3/client.js'
import { untilAborted } from '../../../shared/abort.js'
import type { Clock } from '../../../shared/clock.js'
import { createAlarm } from '../../../shared/timers.js'
import { isTonplugError } from '../../../shared/tonplug-error.js'
import { toBase64Hash } from '../../../toncenter/schema/params.js'
import { canonicalTransactionHash } from '../../orders/transaction-hash.js'
import { findForgedBody } from './forged-body.js'
import { isTooLarge, readTraceParts, type PartReader } from './trace-parts.js'
import { isWholeAndFinal, type IndexedTrace } from './verify-payment.js'

/** The methods of a client of API v3 that read traces. Without the others, a trace that is refused for its size is not read. */
export type TraceSource = Pick<V3Client, 'traces'> & Partial<PartReader>

/** A trace, or the part of a large one that holds a transaction. */
export interface ReadTrace extends IndexedTrace {
  /** The hash of a message whose body is not the body that the index states. */
  forged: string | undefined
  /** Other payments of the trace are missing. */
  isPart: boolean
}

/** Hashes in canonical format. */
interface Wanted {
  txHash: string
  traceId?: string | undefined
}

/**
 * Reads the traces of transactions for proofs. One response serves all payments in a trace: those that wait for it, and
 * those that are proven within half a minute.
 */
export interface TraceReader {
  /**
   * Returns the trace of a transaction, perhaps from a response that another proof has asked for.
   * @throws what the client throws, and the reason of the request's signal.
   */
  find(wanted: Wanted, request: Request): Promise<FoundTrace>
  /** Reads the trace of a transaction for this proof alone. */
  readAgain(wanted: Wanted, request: Request): Promise<FoundTrace>
}

/** A trace, or `undefined` if the index does not have the transaction. */
interface FoundTrace {
  read: ReadTrace | undefined
  /** It was read for another proof. */
  isShared: boolean
}

type Request = RequestOptions & { signal: AbortSignal }

/** A response that was final does not change, unless the index was wrong. */
const KEEP_MS = 30_000
/** Transactions of all traces in memory. An index refuses a trace of more than 4,000. */
const MOST_TRANSACTIONS = 4000

export function createTraceReader(v3: TraceSource, clock: Clock): TraceReader {
  const kept = new KeptTraces(clock)
  const running = new Map<string, SharedRead>()

  const readAgain: TraceReader['readAgain'] = async (wanted, { signal, ...request }) => {
    const key = wanted.traceId ?? wanted.txHash
    const own = new SharedRead((ended) => readTrace(v3, wanted, { ...request, signal: ended }))
    running.set(key, own)
    try {
      const read = await own.wait(signal)
      if (read !== undefined && isKeepable(read)) kept.add(read)
      return { read, isShared: false }
    } finally {
      if (running.get(key) === own) running.delete(key)
    }
  }

  return {
    readAgain,
    async find(wanted, request) {
      const known = kept.get(wanted.txHash)
      if (known !== undefined) return { read: known, isShared: true }
      const other = running.get(wanted.traceId ?? wanted.txHash)
      if (other !== undefined) {
        const read = await other.wait(request.signal)
        // Otherwise a report names the trace wrongly, or the trace has grown.
        if (read !== undefined && holds(read, wanted)) return { read, isShared: true }
      }
      return await readAgain(wanted, request)
    },
  }
}

async function readTrace(
  v3: TraceSource,
  { txHash }: Wanted,
  request: RequestOptions,
): Promise<ReadTrace | undefined> {
  const query = { tx_hash: [txHash], include_actions: true, limit: 1 }
  try {
    const { traces: [trace] = [], metadata } =
      (await unlessNotFound(v3.traces(query, request))) ?? {}
    if (trace === undefined) return undefined
    const part = isTooLarge(trace)
      ? await readPart(v3, txHash, { large: [trace], request })
      : undefined
    return part ?? toRead({ trace, metadata }, false)
  } catch (error) {
    if (!isTonplugError(error) || error.code !== 'ERR_TONPLUG_RESPONSE_TOO_LARGE') throw error
    const part = await readPart(v3, txHash, { large: [], request })
    if (part === undefined) throw error
    return part
  }
}

/** @returns `undefined` if the source cannot read parts, or does not have the transaction. */
async function readPart(
  { transactions, messages }: TraceSource,
  txHash: string,
  { large, request }: { large: IndexedTrace['trace'][]; request: RequestOptions },
): Promise<ReadTrace | undefined> {
  if (transactions === undefined || messages === undefined) return undefined
  const hashes = [toBase64Hash(txHash) ?? txHash]
  const [trace] = await readTraceParts({ transactions, messages }, { large, hashes }, request)
  return trace && toRead({ trace }, true)
}

function toRead(indexed: IndexedTrace, isPart: boolean): ReadTrace {
  return { ...indexed, forged: findForgedBody(indexed.trace), isPart }
}

function isKeepable(read: ReadTrace): boolean {
  return read.forged === undefined && !read.isPart && isWholeAndFinal(read)
}

function holds({ trace }: ReadTrace, { txHash }: Wanted): boolean {
  return trace.transactions_order.some((hash) => canonicalTransactionHash(hash) === txHash)
}

/** A read that several proofs wait for. It is aborted when all of them are. */
class SharedRead {
  readonly #controller = new AbortController()
  readonly #work: Promise<ReadTrace | undefined>
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<ReadTrace | undefined>) {
    this.#work = work(this.#controller.signal)
    // All who wait may have been aborted.
    this.#work.catch(() => undefined)
  }

  async wait(signal: AbortSignal): Promise<ReadTrace | undefined> {
    this.#waiting++
    try {
      return await untilAborted(this.#work, signal)
    } finally {
      this.#waiting--
      if (this.#waiting === 0) this.#controller.abort()
    }
  }
}

interface KeptTrace {
  read: ReadTrace
  hashes: readonly string[]
  untilMs: number
}

/** Traces by the hashes of their transactions. The oldest ones make room. */
class KeptTraces {
  readonly #clock: Clock
  readonly #traces = new Set<KeptTrace>()
  readonly #byHash = new Map<string, KeptTrace>()
  readonly #alarm

  constructor(clock: Clock) {
    this.#clock = clock
    this.#alarm = createAlarm(clock, () => this.#removeOld(), { isBackground: true })
  }

  get(hash: string): ReadTrace | undefined {
    this.#removeOld()
    return this.#byHash.get(hash)?.read
  }

  add(read: ReadTrace): void {
    const hashes = read.trace.transactions_order.map(canonicalTransactionHash)
    const one = { read, hashes, untilMs: this.#clock.nowMs() + KEEP_MS }
    for (const hash of hashes) {
      const former = this.#byHash.get(hash)
      if (former !== undefined) this.#remove(former)
    }
    this.#traces.add(one)
    for (const hash of hashes) this.#byHash.set(hash, one)
    this.#removeOld()
  }

  #removeOld(): void {
    const nowMs = this.#clock.nowMs()
    for (const one of this.#traces) {
      if (one.untilMs > nowMs && this.#byHash.size <= MOST_TRANSACTIONS) break
      this.#remove(one)
    }
    const [oldest] = this.#traces
    if (oldest === undefined) this.#alarm.cancel()
    else this.#alarm.set(oldest.untilMs - nowMs)
  }

  #remove(one: KeptTrace): void {
    this.#traces.delete(one)
    for (const hash of one.hashes) this.#byHash.delete(hash)
  }
}
