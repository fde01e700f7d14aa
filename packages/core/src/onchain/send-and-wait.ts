import { InvalidParamsError } from '../errors/params.js'
import { checkBoc } from './normalized-hash.js'
import type { BocLike } from '../schema/params.js'
import { positive } from '../transport/check-number.js'
import { createAbsence } from './absence.js'
import { checkClient } from './check-client.js'
import { confirmMessage, type ConfirmedMessage } from './confirm-message.js'
import { createMessageSender, type MessageSender } from './message-sender.js'
import { isResumePoint, readMessage, type ResumePoint } from './resume-point.js'
import { resolveWaitOptions, type ChainReader, type WaitOptions } from './wait-options.js'

/** How to send a message, and how long to wait for it. */
export interface SendOptions extends WaitOptions {
  /**
   * The wait before the message is sent again, as long as nobody has seen it and `validUntil` has not passed. `Infinity`
   * for a contract without a protection against replays: one that runs the same message twice. @default 10_000
   */
  resendMs?: number | undefined
}

/** The clients that {@link sendAndWait} works with. */
export interface SendClients {
  /** Sends, and tells the receiver's last transaction. */
  v2: MessageSender
  /** Sees. */
  v3: ChainReader
}

/**
 * Sends an external message, again while nobody has seen it, and waits until it has landed and all that it caused is in
 * final blocks. A node's refusal counts only when nobody can have sent the message before and no block has it: whatever
 * else goes wrong leaves its fate open, and the wait goes on. Before it says that a message never lands, it looks whether
 * the index finds the receiver's last transaction, as API v2 tells it: where not, the index is behind, and the wait goes on.
 * @param message the message; or the `resume` of an earlier wait, in another process too, which is first looked for
 * @throws {MessageRejectedError} when the first node refuses it, and the index, as far as that node, does not have it.
 * @throws {ConfirmationTimeoutError} when `timeoutMs` is over; the message may still land: go on with the error's `resume`.
 * @throws {ConfirmationInterruptedError} when the index cannot be asked; the message may have been sent.
 * @throws {MessageExpiredError} when no block has it and none ever will; only with `validUntil`.
 * @throws {InvalidParamsError} when `message` is none; {ConfigurationError} when an option cannot work; and whatever
 *   `sendBoc` throws as long as nothing can have been sent, as for a wrong key.
 * @example
 * ```ts
 * import { createTransport, createV2Client, createV3Client, sendAndWait } from '@tonplug/core'
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
  message: BocLike | ResumePoint,
  options: SendOptions = {},
): Promise<ConfirmedMessage> {
  const { v2, v3 } = checkClients(clients)
  const resolved = resolveWaitOptions(options, ['resendMs'])
  const resendMs = positive('resendMs', options.resendMs ?? 10_000)
  const { signal, priority } = resolved
  signal.throwIfAborted()
  const isResumed = isResumePoint(message)
  const resume = await readMessage(isResumed ? message : checkBoc(message), options.validUntil)
  const { boc, validUntil } = resume
  if (boc === undefined) throw withoutMessage()
  const absence = createAbsence(v3, resume, v2)
  const sender = createMessageSender({
    v2,
    clock: v3.clock,
    boc,
    validUntil,
    isResumed,
    resendMs,
    pollMs: resolved.pollMs,
    priority,
    signal,
    absence,
  })
  const isNew = !isResumed
  return await confirmMessage({ v3, resume, options: resolved, absence, sender, isNew })
}

function checkClients(clients: SendClients | undefined): SendClients {
  for (const api of ['v2', 'v3'] as const) {
    checkClient(api, clients?.[api], 'sendAndWait({ v2, v3 }, message)')
  }
  // It has both.
  return clients as SendClients
}

function withoutMessage(): InvalidParamsError {
  const problem = 'is missing from what is resumed, so it cannot be sent; waitForMessage needs none'
  return new InvalidParamsError({ endpoint: 'message', issues: [{ path: 'boc', problem }] })
}
