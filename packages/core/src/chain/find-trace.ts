import { isTonplugError } from '../shared/tonplug-error.js'
import type { RequestOptions } from '../toncenter/transport/call-options.js'
import type { V3Result } from '../toncenter/v3/client.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'
import { statusOf, type MessageStatus } from './trace-state.js'
import type { ChainReader } from './wait-options.js'

/** Metadata of tokens among the addresses of a trace. */
export type TraceMetadata = NonNullable<V3Result<'traces'>['metadata']>

export interface FoundTrace {
  status: Exclude<MessageStatus, 'unseen'>
  trace: Trace
  metadata: TraceMetadata | undefined
}

/**
 * Finds the trace of a message among those in final blocks, then among pending ones. If a contract accepted the message
 * several times, returns the first trace.
 * @throws the errors of the first request. Pending traces are emulated, and some servers do not support them.
 */
export async function findTrace(
  v3: ChainReader,
  hash: string,
  request: RequestOptions,
): Promise<FoundTrace | undefined> {
  const params = { msg_hash: hash, include_actions: true, sort: 'asc', limit: 1 } as const
  const found = firstTrace(await undefinedOn(v3.traces(params, request), isNotFound), false)
  if (found !== undefined) return found
  const pending = v3.pendingTraces({ ext_msg_hash: hash }, request)
  return firstTrace(await undefinedOn(pending, isTonplugError), true)
}

/** Returns true if the index has a transaction. @param hash the hash of the transaction, in base64 */
export async function hasTransaction(
  v3: ChainReader,
  hash: string,
  request: RequestOptions,
): Promise<boolean> {
  const result = await undefinedOn(v3.traces({ tx_hash: hash, limit: 1 }, request), isNotFound)
  return result?.traces[0] !== undefined
}

function firstTrace(
  result: Pick<V3Result<'traces'>, 'traces' | 'metadata'> | undefined,
  isPendingTrace: boolean,
): FoundTrace | undefined {
  const trace = result?.traces[0]
  if (trace === undefined) return undefined
  return { status: statusOf(trace, isPendingTrace), trace, metadata: result?.metadata }
}

async function undefinedOn<T>(
  result: Promise<T>,
  isIgnored: (error: unknown) => boolean,
): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (isIgnored(error)) return undefined
    throw error
  }
}

/** Some servers respond with 404 instead of an empty list. */
function isNotFound(error: unknown): boolean {
  return isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND'
}
