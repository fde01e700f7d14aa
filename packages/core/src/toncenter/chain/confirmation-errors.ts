import { TonplugError } from '../../shared/tonplug-error.js'
import type { SendCheckpoint } from './send-checkpoint.js'
import type { MessageStatus } from './trace-state.js'

export interface ConfirmationErrorDetails {
  checkpoint: SendCheckpoint
  status: MessageStatus
}

/** The family of errors about a message that was sent. Only {@link MessageExpiredError} means that it failed. */
export abstract class ConfirmationError extends TonplugError<ConfirmationErrorDetails> {
  /** Plain JSON: pass it to `waitForMessage` or `sendAndWait` to continue, also in another process. */
  get checkpoint(): SendCheckpoint {
    return this.details.checkpoint
  }

  /** The status at the last search. */
  get status(): MessageStatus {
    return this.details.status
  }
}

/**
 * The message did not reach the requested status within `timeoutMs`. It may still do so: never sign another one instead, but
 * continue with {@link ConfirmationError.checkpoint}. `cause` is the last failure, if any: for example, a node's rejection
 * that may have come after the message had landed.
 */
export class ConfirmationTimeoutError extends ConfirmationError {
  override readonly name = 'ConfirmationTimeoutError'
  readonly code = 'ERR_TONPLUG_CONFIRMATION_TIMEOUT'
  override readonly retryable = true

  constructor(facts: ConfirmationErrorDetails & { timeoutMs: number; cause?: unknown }) {
    const { timeoutMs, cause, ...details } = facts
    super({
      message: `${describe(details)} after timeoutMs (${timeoutMs}); it may still land, so continue with the error's checkpoint and do not sign another one`,
      details,
      cause,
    })
  }
}

/**
 * The index can no longer be queried, for example because of an invalid key: see `cause`. The status of the message is
 * unknown. Fix the cause and continue with {@link ConfirmationError.checkpoint}.
 */
export class ConfirmationInterruptedError extends ConfirmationError {
  override readonly name = 'ConfirmationInterruptedError'
  readonly code = 'ERR_TONPLUG_CONFIRMATION_INTERRUPTED'

  constructor(facts: ConfirmationErrorDetails & { cause: Error }) {
    const { cause, ...details } = facts
    super({
      message: `${describe(details)} when the search failed (${cause.message}); it may still land, so fix that and continue with the error's checkpoint`,
      details,
      cause,
    })
  }
}

/**
 * The message never landed and never will; you may sign another one. Only `sendAndWait` throws it, with proof from a node:
 * the node's state of the account, read from API v2, is more than a minute newer than `validUntil`, and the index has the
 * account's last transaction in that state but not the message. `validUntil` must be the time that the contract checks.
 */
export class MessageExpiredError extends ConfirmationError {
  override readonly name = 'MessageExpiredError'
  readonly code = 'ERR_TONPLUG_MESSAGE_EXPIRED'

  constructor(facts: ConfirmationErrorDetails & { validUntil: number; cause?: unknown }) {
    const { validUntil, cause, ...details } = facts
    super({
      message: `message ${details.checkpoint.hash}: no block has it, and it was valid until ${validUntil} (Unix seconds), so it never lands; sign another one`,
      details,
      cause,
    })
  }
}

function describe({ checkpoint, status }: ConfirmationErrorDetails): string {
  return `message ${checkpoint.hash}: ${STATUS_TEXTS[status]}`
}

const STATUS_TEXTS: Record<MessageStatus, string> = {
  unseen: 'the index did not have it',
  pending: 'only an emulated trace existed',
  confirmed: 'its blocks were not final',
  landed: 'it had landed and its trace continued',
  finalized: 'it had landed',
}
