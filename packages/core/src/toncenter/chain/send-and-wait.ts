import { positiveParam } from '../schema/options.js'
import { optionalParam } from '../schema/param.js'
import type { BocLike } from '../schema/params.js'
import { confirmMessage, type ConfirmedMessage } from './confirm-message.js'
import { createMessageSender, type MessageSender } from './message-sender.js'
import { createNonInclusion } from './non-inclusion.js'
import { checkBoc, invalidMessage } from './normalized-hash.js'
import { isSendCheckpoint, toCheckpoint, type SendCheckpoint } from './send-checkpoint.js'
import {
  checkClient,
  resolveWaitOptions,
  waitOptions,
  type ChainReader,
  type WaitOptions,
} from './wait-options.js'

/** Options of {@link sendAndWait}. */
export interface SendOptions extends WaitOptions {
  /**
   * The delay before the message is sent again, while the index does not have it and `validUntil` has not passed. With
   * `Infinity` exactly one HTTP request carries the message, to one server, even if its response is lost: for a contract
   * without replay protection, which would execute the same message twice. A checkpoint is then only waited for, since an
   * earlier call may have sent it. @default 10_000
   */
  resendMs?: number | undefined
}

/** The clients of {@link sendAndWait}. */
export interface SendClients {
  /** Sends, and reads the receiver's state from a node. */
  v2: MessageSender
  /** Finds the message and its trace. */
  v3: ChainReader
}

const sendOptions = { ...waitOptions, resendMs: optionalParam(positiveParam) }

/**
 * Sends an external message, repeatedly while the index does not have it, and waits until it has landed and its whole trace
 * is in final blocks. A node's rejection counts only if the message cannot have been sent before and no block has it: after
 * any other failure the message may still land, and the wait continues. A message counts as lost only with proof from a
 * node: the receiver's state, read from API v2, is newer than `validUntil`, and the index has the receiver's last
 * transaction in that state but not the message.
 * @param message the message, or the `checkpoint` of an earlier wait, also of another process, which is first searched for
 * @throws {MessageRejectedError} if the first node rejects it, and the index, as far as that node, does not have it.
 * @throws {ConfirmationTimeoutError} after `timeoutMs`. The message may still land: continue with the error's `checkpoint`.
 * @throws {ConfirmationInterruptedError} if the index cannot be queried; the message may have been sent.
 * @throws {MessageExpiredError} if no block has it and none ever will; only with `validUntil`.
 * @throws {InvalidParamsError} for an invalid message; {ConfigurationError} for an invalid option; and the errors of
 *   `sendBoc` while nothing can have been sent, for example an invalid key; with `resendMs: Infinity`, also a 429.
 * @example
 * ```ts
 * import { createTransport, createV2Client, createV3Client, sendAndWait } from '@tonplug/core/toncenter'
 *
 * declare const boc: string
 * declare const validUntil: number
 *
 * const transport = createTransport({ network: 'testnet' })
 * const clients = { v2: createV2Client({ transport }), v3: createV3Client({ transport }) }
 * const landed = await sendAndWait(clients, boc, { validUntil })
 * console.log(landed.outcome, landed.reason ?? '')
 * ```
 */
export async function sendAndWait(
  clients: SendClients,
  message: BocLike | SendCheckpoint,
  options: SendOptions = {},
): Promise<ConfirmedMessage> {
  const { v2, v3 } = checkClients(clients)
  const resolved = resolveWaitOptions(options, sendOptions)
  const { resendMs = 10_000 } = options
  resolved.signal.throwIfAborted()
  const isResumed = isSendCheckpoint(message)
  const checkpoint = await toCheckpoint(isResumed ? message : checkBoc(message), options.validUntil)
  const { boc } = checkpoint
  if (boc === undefined) {
    const problem =
      'is missing from the checkpoint, so it cannot be sent; waitForMessage needs none'
    throw invalidMessage('boc', problem)
  }
  const nonInclusion = createNonInclusion({ v2, v3 }, checkpoint)
  const sender = createMessageSender({
    v2,
    clock: v3.clock,
    checkpoint: { ...checkpoint, boc },
    options: { ...resolved, resendMs },
    isResumed,
    nonInclusion,
  })
  return await confirmMessage({
    v3,
    checkpoint,
    options: resolved,
    nonInclusion,
    sender: isResumed && resendMs === Infinity ? undefined : sender,
    isNew: !isResumed,
  })
}

function checkClients(clients: SendClients | undefined): SendClients {
  for (const api of ['v2', 'v3'] as const) {
    checkClient(api, clients?.[api], 'sendAndWait({ v2, v3 }, message)')
  }
  // Both were checked.
  return clients as SendClients
}
