import { isTonplugError, type TonplugError } from '../../shared/tonplug-error.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { V3Result } from '../v3/endpoint-types.js'
import type { V3Trace } from '../v3/generated/types.js'
import { statusOf, type MessageStatus } from './trace-state.js'
import type { ChainReader } from './wait-options.js'

/** Metadata of tokens among the addresses of a trace. */
export type TraceMetadata = NonNullable<V3Result<'traces'>['metadata']>

export interface FoundTrace {
  status: Exclude<MessageStatus, 'unseen'>
  trace: V3Trace
  metadata: TraceMetadata | undefined
}

/**
 * Finds the trace of a message among those in final blocks, then among pending ones. If a contract accepted the message
 * several times, returns the last trace: a wallet without funds undoes the message, and may execute it again.
 * @throws the errors of the first request. Pending traces are emulated, and some servers do not support them.
 */
export async function findTrace(
  v3: ChainReader,
  hash: string,
  request: RequestOptions,
): Promise<FoundTrace | undefined> {
  const params = { msg_hash: hash, include_actions: true, sort: 'desc', limit: 1 } as const
  const found = firstTrace(await unlessNotFound(v3.traces(params, request)), false)
  if (found !== undefined) return found
  return firstTrace(await unlessFailed(v3.pendingTraces({ ext_msg_hash: hash }, request)), true)
}

/** Returns true if the index has a transaction. @param hash the hash of the transaction, in base64 */
export async function hasTransaction(
  v3: ChainReader,
  hash: string,
  request: RequestOptions,
): Promise<boolean> {
  const result = await unlessNotFound(v3.traces({ tx_hash: hash, limit: 1 }, request))
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

/** Returns the result of a list; `undefined` for a 404, with which some servers respond instead of an empty list. */
export async function unlessNotFound<T>(result: Promise<T>): Promise<T | undefined> {
  return unless(result, ({ code }) => code === 'ERR_TONPLUG_NOT_FOUND')
}

/** Returns the result of a request; `undefined` if it fails. @throws the signal's reason. */
export async function unlessFailed<T>(
  result: Promise<T>,
  signal?: AbortSignal,
): Promise<T | undefined> {
  const value = await unless(result, () => true)
  signal?.throwIfAborted()
  return value
}

async function unless<T>(
  result: Promise<T>,
  isIgnored: (error: TonplugError) => boolean,
): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (isTonplugError(error) && isIgnored(error)) return undefined
    throw error
  }
}
