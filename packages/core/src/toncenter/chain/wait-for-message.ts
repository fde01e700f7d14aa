import type { BocLike, HashLike } from '../schema/params.js'
import { confirmMessage, type ConfirmedMessage } from './confirm-message.js'
import { toCheckpoint, type SendCheckpoint } from './send-checkpoint.js'
import {
  checkClient,
  resolveWaitOptions,
  type ChainReader,
  type WaitOptions,
} from './wait-options.js'

/**
 * Waits until an external message has landed and its whole trace is in final blocks. Sends nothing: see
 * {@link sendAndWait}. The index may be behind the node that accepted the message, so the message may appear later. An index
 * cannot prove that a message will never land, so a message that it does not have ends in a timeout, regardless of
 * `validUntil`. To prove it, call {@link sendAndWait} with the error's `checkpoint`: it also queries a node.
 * @param message the message, its hash (the normalized hash also finds pending traces), or the `checkpoint` of an earlier
 *   wait
 * @throws {ConfirmationTimeoutError} after `timeoutMs`. The message may still land: continue with the error's `checkpoint`.
 * @throws {ConfirmationInterruptedError} if the index cannot be queried.
 * @throws {InvalidParamsError} for an invalid message; {ConfigurationError} for an invalid option.
 * @example
 * ```ts
 * import { createV3Client, waitForMessage } from '@tonplug/core/toncenter'
 *
 * declare const hash: string
 *
 * const landed = await waitForMessage(createV3Client({ network: 'testnet' }), hash)
 * console.log(landed.outcome, landed.reason ?? '', landed.transactions.length)
 * ```
 */
export async function waitForMessage(
  v3: ChainReader,
  message: BocLike | HashLike | SendCheckpoint,
  options: WaitOptions = {},
): Promise<ConfirmedMessage> {
  checkClient('v3', v3, 'waitForMessage(v3, message)')
  const resolved = resolveWaitOptions(options)
  resolved.signal.throwIfAborted()
  const checkpoint = await toCheckpoint(message, options.validUntil)
  return await confirmMessage({ v3, checkpoint, options: resolved, isNew: false })
}
