import { describeCall, type CallFacts } from './http.js'
import { TonplugError } from './tonplug-error.js'

/** What every error that the API answered knows. */
export interface ApiErrorDetails extends CallFacts {
  /** The HTTP status, or the `code` of the body when the status was 200. */
  status: number
  /** What the server wrote, shortened. */
  reason: string
  /** The server's `@extra`: names the request in the server's own logs. */
  requestId: string | undefined
}

/** The family of errors about what the API said. */
export abstract class ApiError<
  Details extends CallFacts = CallFacts,
> extends TonplugError<Details> {
  /** The endpoint's name. */
  get endpoint(): string {
    return this.details.endpoint
  }

  /** Requests sent for this call; 0 when none was. */
  get attempts(): number {
    return this.details.attempts
  }
}

/** 401, or 403 for another reason than the network: the API key is unknown, blocked or missing. */
export class AuthenticationError extends ApiError<ApiErrorDetails> {
  override readonly name = 'AuthenticationError'
  readonly code = 'ERR_TONPLUG_AUTHENTICATION'

  constructor(facts: ApiErrorDetails) {
    super({ message: say(facts, 'the API key was refused; check apiKey'), details: facts })
  }
}

/** 403: the API key belongs to the other network. */
export class WrongNetworkError extends ApiError<ApiErrorDetails> {
  override readonly name = 'WrongNetworkError'
  readonly code = 'ERR_TONPLUG_WRONG_NETWORK'

  constructor(facts: ApiErrorDetails) {
    super({
      message: say(facts, 'the API key is not for this network; check network and apiKey'),
      details: facts,
    })
  }
}

/** 404: there is no such transaction, block, or path. */
export class NotFoundError extends ApiError<ApiErrorDetails> {
  override readonly name = 'NotFoundError'
  readonly code = 'ERR_TONPLUG_NOT_FOUND'

  constructor(facts: ApiErrorDetails) {
    super({ message: say(facts, 'not found'), details: facts })
  }
}

/** 409: the account is not what the endpoint is for, as in `getTokenData` of a wallet. */
export class ConflictError extends ApiError<ApiErrorDetails> {
  override readonly name = 'ConflictError'
  readonly code = 'ERR_TONPLUG_CONFLICT'

  constructor(facts: ApiErrorDetails) {
    super({ message: say(facts, 'the account does not fit this endpoint'), details: facts })
  }
}

/** 400, 416, 422 and other 4xx: the server does not accept the parameters. */
export class ValidationError extends ApiError<ApiErrorDetails> {
  override readonly name = 'ValidationError'
  readonly code = 'ERR_TONPLUG_VALIDATION'

  constructor(facts: ApiErrorDetails) {
    super({ message: say(facts, 'the server refused the parameters'), details: facts })
  }
}

/** The server's own node was out of step or did not answer; the same call works a moment later. */
export class LiteserverNotReadyError extends ApiError<ApiErrorDetails> {
  override readonly name = 'LiteserverNotReadyError'
  readonly code = 'ERR_TONPLUG_LITESERVER_NOT_READY'
  override readonly retryable = true

  constructor(facts: ApiErrorDetails) {
    super({ message: say(facts, 'the liteserver was not ready; try again'), details: facts })
  }
}

/** The node no longer keeps history this old; ask again with `archival: true`, or `archival: 'auto'` from the start. */
export class HistoryNotAvailableError extends ApiError<ApiErrorDetails> {
  override readonly name = 'HistoryNotAvailableError'
  readonly code = 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE'

  constructor(facts: ApiErrorDetails) {
    super({
      message: say(facts, "the node does not keep history this old; pass archival: 'auto'"),
      details: facts,
    })
  }
}

/** What a {@link MessageRejectedError} knows. */
export interface MessageRejectedErrorDetails extends ApiErrorDetails {
  /** The contract's exit code; `undefined` when the contract was not run or the server does not tell. */
  exitCode: number | undefined
  /** The end of the virtual machine's log; `undefined` when there is none. */
  log: string | undefined
}

/** The network does not take the external message. Sending the same message again gives the same. */
export class MessageRejectedError extends ApiError<MessageRejectedErrorDetails> {
  override readonly name = 'MessageRejectedError'
  readonly code = 'ERR_TONPLUG_MESSAGE_REJECTED'

  constructor(facts: MessageRejectedErrorDetails) {
    const why = facts.exitCode === undefined ? '' : ` with exit code ${facts.exitCode}`
    super({ message: say(facts, `the message was rejected${why}`), details: facts })
  }

  /** The contract's exit code, when the server tells it. */
  get exitCode(): number | undefined {
    return this.details.exitCode
  }

  /** The end of the virtual machine's log, when there is one. */
  get log(): string | undefined {
    return this.details.log
  }
}

/** Any other failure of the server. */
export class ServerError extends ApiError<ApiErrorDetails> {
  override readonly name = 'ServerError'
  readonly code = 'ERR_TONPLUG_SERVER'
  override readonly retryable: boolean

  constructor(facts: ApiErrorDetails & { isRetryable: boolean }) {
    const { isRetryable, ...details } = facts
    super({ message: say(details, 'the server failed'), details })
    this.retryable = isRetryable
  }
}

/** What a {@link ResponseShapeError} knows. */
export interface ResponseShapeErrorDetails extends CallFacts {
  /** Where in the body, as in `result[0].transaction_id.lt`; empty for the body as a whole. */
  path: string
  /** What belongs there. */
  expected: string
  /** The server's `@extra`: names the request in the server's own logs. */
  requestId: string | undefined
}

/** An answer is not what the endpoint answers with. Fields that nobody relies on are passed through; this one is not such. */
export class ResponseShapeError extends ApiError<ResponseShapeErrorDetails> {
  override readonly name = 'ResponseShapeError'
  readonly code = 'ERR_TONPLUG_RESPONSE_SHAPE'

  constructor(facts: ResponseShapeErrorDetails) {
    const where = facts.path === '' ? 'the body' : facts.path
    super({
      message: `${describeCall(facts)}: ${where} of the answer is not ${facts.expected}`,
      details: facts,
    })
  }

  /** Where in the body. */
  get path(): string {
    return this.details.path
  }
}

function say(facts: ApiErrorDetails, problem: string): string {
  const reason = facts.reason === '' ? '' : `: ${firstLine(facts.reason)}`
  return `${describeCall(facts)}: ${problem} (${facts.status}${reason})`
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
