import { isTonplugError } from '../shared/tonplug-error.js'
import { unlessNotFound, type TraceMetadata } from '../chain/find-trace.js'
import { errorFacts } from '../shared/error-facts.js'
import type { Logger } from '../shared/logger.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'
import type { FailureLimit } from './failure-limit.js'
import type { Candidate, WatchReader } from './scan.js'

/** A trace, with the metadata of the same response. */
export interface ReadTrace {
  trace: Trace
  metadata: TraceMetadata | undefined
}

/** Dependencies of reading traces. */
export interface ReadTracesOptions {
  v3: Pick<WatchReader, 'traces'>
  request: RequestOptions
  logger: Logger
  indexFailures: FailureLimit
}

/** Traces in one response; the hashes must fit into the URL of the request. */
const TRACES_PER_REQUEST = 50

/** Errors that one trace of a request can cause. Others concern the whole index. */
const ERRORS_OF_A_TRACE: ReadonlySet<string> = new Set([
  'ERR_TONPLUG_HTTP_STATUS',
  'ERR_TONPLUG_RESPONSE_SHAPE',
  'ERR_TONPLUG_RESPONSE_TOO_LARGE',
  'ERR_TONPLUG_SERVER',
  'ERR_TONPLUG_TIMEOUT',
  'ERR_TONPLUG_VALIDATION',
])

/**
 * Reads the traces of transactions. A request that fails is divided until the trace that causes the failure is alone.
 * @returns the traces that the index has and that can be read.
 * @throws {TonplugError} when the index fails for other reasons, or for too many requests in a row.
 */
export async function readTraces(
  options: ReadTracesOptions,
  candidates: readonly Candidate[],
): Promise<ReadTrace[]> {
  const found: ReadTrace[] = []
  const known = new Set<string>()
  for (let start = 0; start < candidates.length; start += TRACES_PER_REQUEST) {
    const part = candidates.slice(start, start + TRACES_PER_REQUEST)
    // Other transactions of a trace need no further request.
    const wanted = part.flatMap(({ txHash }) => (known.has(txHash) ? [] : txHash))
    for (const one of await readPart(options, wanted)) {
      found.push(one)
      for (const hash of one.trace.transactions_order) known.add(hash)
    }
  }
  return found
}

async function readPart(
  options: ReadTracesOptions,
  hashes: readonly string[],
): Promise<ReadTrace[]> {
  if (hashes.length === 0) return []
  const { request, logger, indexFailures } = options
  try {
    const traces = await ask(options, hashes)
    indexFailures.succeed()
    return traces
  } catch (error) {
    request.signal?.throwIfAborted()
    if (!isTonplugError(error) || !ERRORS_OF_A_TRACE.has(error.code)) throw error
    indexFailures.fail(error)
    const [txHash] = hashes
    if (hashes.length === 1) {
      logger.warn('trace not readable; the transaction is retried', {
        txHash,
        error: errorFacts(error),
      })
      return []
    }
  }
  const middle = Math.ceil(hashes.length / 2)
  const first = await readPart(options, hashes.slice(0, middle))
  return [...first, ...(await readPart(options, hashes.slice(middle)))]
}

async function ask(
  { v3, request }: ReadTracesOptions,
  hashes: readonly string[],
): Promise<ReadTrace[]> {
  const only = { tx_hash: [...hashes], limit: TRACES_PER_REQUEST } as const
  const read = v3.traces({ ...only, include_actions: true, sort: 'asc' }, request)
  const { traces = [], metadata } = (await unlessNotFound(read)) ?? {}
  return traces.map((trace) => ({ trace, metadata }))
}
