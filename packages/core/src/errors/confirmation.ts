import type { MessageStatus } from '../onchain/message-status.js'
import type { ResumePoint } from '../onchain/resume-point.js'
import { TonplugError } from './tonplug-error.js'

/** What the errors about a message on its way know. */
export interface ConfirmationErrorDetails {
  /** Plain JSON: pass it to `waitForMessage` or `sendAndWait` to go on, in another process too. */
  resume: ResumePoint
  /** How far the message had come when it was last looked for. */
  status: MessageStatus
}

/** The family of errors about a message that was sent. None of them but {@link MessageExpiredError} says that it failed. */
export abstract class ConfirmationError extends TonplugError<ConfirmationErrorDetails> {
  /** Plain JSON: pass it to `waitForMessage` or `sendAndWait` to go on, in another process too. */
  get resume(): ResumePoint {
    return this.details.resume
  }

  /** How far the message had come when it was last looked for. */
  get status(): MessageStatus {
    return this.details.status
  }
}

/**
 * The message has not come as far as was asked for within `timeoutMs`. It may do so at any time: never sign another one
 * in its place, go on with {@link ConfirmationError.resume}. `cause` is what went wrong last, if anything did: as an
 * example, a node's refusal of which the index cannot yet tell whether it came after the message had landed.
 */
export class ConfirmationTimeoutError extends ConfirmationError {
  override readonly name = 'ConfirmationTimeoutError'
  readonly code = 'ERR_TONPLUG_CONFIRMATION_TIMEOUT'
  override readonly retryable = true

  constructor(facts: ConfirmationErrorDetails & { timeoutMs: number; cause?: unknown }) {
    const { timeoutMs, cause, ...details } = facts
    super({
      message: `message ${details.resume.hash}: ${STATUS_WORDS[details.status]} when timeoutMs (${timeoutMs}) was over; it may still land, so wait on with the error's resume and do not sign another one`,
      details,
      cause,
    })
  }
}

/**
 * The index cannot be asked any more: see `cause`, an unknown key as an example. Nothing is known of the message. Mend
 * that and go on with {@link ConfirmationError.resume}.
 */
export class ConfirmationInterruptedError extends ConfirmationError {
  override readonly name = 'ConfirmationInterruptedError'
  readonly code = 'ERR_TONPLUG_CONFIRMATION_INTERRUPTED'

  constructor(facts: ConfirmationErrorDetails & { cause: Error }) {
    const { cause, ...details } = facts
    super({
      message: `message ${details.resume.hash}: ${STATUS_WORDS[details.status]} when it could not be looked for any more (${cause.message}); it may still land, so mend that and wait on with the error's resume`,
      details,
      cause,
    })
  }
}

/**
 * The message never landed and never will: the index has all blocks up to a minute after `validUntil`, and none has it.
 * From `sendAndWait` it also says that the index finds the last transaction of the account, as API v2 tells it.
 * Another one may be signed. It rests on `validUntil` being the time that the contract itself goes by.
 */
export class MessageExpiredError extends ConfirmationError {
  override readonly name = 'MessageExpiredError'
  readonly code = 'ERR_TONPLUG_MESSAGE_EXPIRED'

  constructor(facts: ConfirmationErrorDetails & { validUntil: number; cause?: unknown }) {
    const { validUntil, cause, ...details } = facts
    super({
      message: `message ${details.resume.hash}: no block has it, and it was valid until ${validUntil} (Unix seconds), so it never lands; sign another one`,
      details,
      cause,
    })
  }
}

const STATUS_WORDS: Record<MessageStatus, string> = {
  unseen: 'the index had not seen it',
  pending: 'only a forecast of it was there',
  confirmed: 'its blocks were not final',
  landed: 'it had landed and what it caused was going on',
  finalized: 'it had landed',
}
