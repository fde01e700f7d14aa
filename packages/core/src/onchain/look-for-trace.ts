import { isTonplugError } from '../errors/tonplug-error.js'
import type { RequestOptions } from '../transport/options.js'
import type { V3Result } from '../v3/client.js'
import type { Trace } from '../v3/schemas/trace.js'
import { statusOf, type MessageStatus } from './message-status.js'
import type { ChainReader } from './wait-options.js'

/** What the index knows of tokens among the addresses of a trace. */
export type TraceMetadata = NonNullable<V3Result<'traces'>['metadata']>

/** A trace that the index has, and how far it has come. */
export interface Sighting {
  status: Exclude<MessageStatus, 'unseen'>
  trace: Trace
  metadata: TraceMetadata | undefined
}

/**
 * Looks for the trace of a message among those in final blocks, then among the others. Of a message that a contract took
 * more than once, the first one counts.
 * @throws what asking for the first kind throws; the other one is but a forecast, and some servers do not have it.
 */
export async function lookForTrace(
  v3: ChainReader,
  hash: string,
  request: RequestOptions,
): Promise<Sighting | undefined> {
  const wanted = { msg_hash: hash, include_actions: true, sort: 'asc', limit: 1 } as const
  const found = read(await orNone(v3.traces(wanted, request), isNotFound), false)
  if (found !== undefined) return found
  const forecast = v3.pendingTraces({ ext_msg_hash: hash }, request)
  return read(await orNone(forecast, isTonplugError), true)
}

/** Whether the index finds a transaction. @param hash its own, in base64 */
export async function hasTransaction(
  v3: ChainReader,
  hash: string,
  request: RequestOptions,
): Promise<boolean> {
  const answer = await orNone(v3.traces({ tx_hash: hash, limit: 1 }, request), isNotFound)
  return answer?.traces[0] !== undefined
}

function read(
  answer: Pick<V3Result<'traces'>, 'traces' | 'metadata'> | undefined,
  isForecast: boolean,
): Sighting | undefined {
  const trace = answer?.traces[0]
  if (trace === undefined) return undefined
  return { status: statusOf(trace, isForecast), trace, metadata: answer?.metadata }
}

/** Nothing in place of an answer where the error says no more than that. */
async function orNone<T>(
  answer: Promise<T>,
  isNone: (error: unknown) => boolean,
): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isNone(error)) return undefined
    throw error
  }
}

/** Some servers say 404 for an empty list. */
function isNotFound(error: unknown): boolean {
  return isTonplugError(error) && error.code === 'ERR_TONPLUG_NOT_FOUND'
}
