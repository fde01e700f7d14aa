import type { HashLike } from '../schema/hash.js'
import type { BocLike } from '../schema/params.js'
import { createAbsence } from './absence.js'
import { checkClient } from './check-client.js'
import { confirmMessage, type ConfirmedMessage } from './confirm-message.js'
import { readMessage, type ResumePoint } from './resume-point.js'
import { resolveWaitOptions, type ChainReader, type WaitOptions } from './wait-options.js'

/**
 * Waits until an external message has landed and all that it caused is in final blocks. It sends nothing: see
 * {@link sendAndWait}. The index may be behind the node that took the message; it is simply found later then.
 * @param message the message, its hash (the normalised one is found before its blocks are final, too), or the `resume`
 *   of an earlier wait
 * @throws {ConfirmationTimeoutError} when `timeoutMs` is over; the message may still land: go on with the error's `resume`.
 * @throws {ConfirmationInterruptedError} when the index cannot be asked, and nothing is known of the message.
 * @throws {MessageExpiredError} when no block has it and none ever will; only with `validUntil`. It believes the index
 *   about its newest block: behind an address where some servers are more than a minute behind others, use
 *   {@link sendAndWait} with the `resume`, which asks API v2 as well.
 * @throws {InvalidParamsError} when `message` is neither; {ConfigurationError} when an option cannot work.
 * @example
 * ```ts
 * import { createV3Client, waitForMessage } from '@tonplug/core'
 *
 * declare const hash: string
 *
 * const landed = await waitForMessage(createV3Client({ network: 'testnet' }), hash)
 * console.log(landed.outcome, landed.reason ?? '', landed.transactions.length)
 * ```
 */
export async function waitForMessage(
  v3: ChainReader,
  message: BocLike | HashLike | ResumePoint,
  options: WaitOptions = {},
): Promise<ConfirmedMessage> {
  checkClient('v3', v3, 'waitForMessage(v3, message)')
  const resolved = resolveWaitOptions(options)
  resolved.signal.throwIfAborted()
  const resume = await readMessage(message, options.validUntil)
  const absence = createAbsence(v3, resume)
  return await confirmMessage({ v3, resume, options: resolved, absence, isNew: false })
}
