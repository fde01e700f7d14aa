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

/** What the errors about a refusal are made of. */
abstract class RefusalError<
  Details extends ApiErrorDetails = ApiErrorDetails,
> extends ApiError<Details> {
  constructor(details: Details, problem: string) {
    const { status, reason } = details
    const told = reason === '' ? '' : `: ${firstLine(reason)}`
    super({ message: `${describeCall(details)}: ${problem} (${status}${told})`, details })
  }
}

/** 401, or 403 for another reason than the network: the API key is unknown, blocked or missing. */
export class AuthenticationError extends RefusalError {
  override readonly name = 'AuthenticationError'
  readonly code = 'ERR_TONPLUG_AUTHENTICATION'

  constructor(facts: ApiErrorDetails) {
    super(facts, 'the API key is missing or was refused; check apiKey')
  }
}

/** 403: the API key belongs to the other network. */
export class WrongNetworkError extends RefusalError {
  override readonly name = 'WrongNetworkError'
  readonly code = 'ERR_TONPLUG_WRONG_NETWORK'

  constructor(facts: ApiErrorDetails) {
    super(facts, 'the API key is not for this network; check network and apiKey')
  }
}

/** 404, or a text that says so: there is no such transaction or block, or this node does not have it. */
export class NotFoundError extends RefusalError {
  override readonly name = 'NotFoundError'
  readonly code = 'ERR_TONPLUG_NOT_FOUND'

  constructor(facts: ApiErrorDetails) {
    super(facts, 'not found')
  }
}

/** The server has no such method, whatever its parameters are: only the other kind of server has it, or the path is wrong. */
export class UnknownMethodError extends RefusalError {
  override readonly name = 'UnknownMethodError'
  readonly code = 'ERR_TONPLUG_UNKNOWN_METHOD'

  /** @param facts.isJsonRpc of API v2: whether it was asked for at `/jsonRPC`, which may be what is missing. */
  constructor(facts: ApiErrorDetails & { isCppOnly: boolean; isJsonRpc?: boolean | undefined }) {
    const { isCppOnly, isJsonRpc, ...details } = facts
    super(details, describeMissing(isCppOnly, isJsonRpc))
  }
}

function describeMissing(isCppOnly: boolean, isJsonRpc: boolean | undefined): string {
  const problem = 'the server has no such method'
  if (isJsonRpc === true) {
    return `${problem}, or no /jsonRPC; try the method without the option jsonRpc`
  }
  if (isCppOnly) return `${problem}; only the C++ server has it`
  const hint = isJsonRpc === false ? `, ${WHERE_V2_IS}` : ''
  return `${problem}; check the path and baseUrl${hint}`
}

const WHERE_V2_IS = 'which ends in /jsonRPC where API v2 is not below /api/v2'

/** 409: the account is not what the endpoint is for, as in `getTokenData` of a wallet. */
export class ConflictError extends RefusalError {
  override readonly name = 'ConflictError'
  readonly code = 'ERR_TONPLUG_CONFLICT'

  constructor(facts: ApiErrorDetails) {
    super(facts, 'the account does not fit this endpoint')
  }
}

/** 400, 416, 422 and other 4xx: the server does not accept the parameters. */
export class ValidationError extends RefusalError {
  override readonly name = 'ValidationError'
  readonly code = 'ERR_TONPLUG_VALIDATION'

  constructor(facts: ApiErrorDetails) {
    super(facts, 'the server refused the parameters')
  }
}

/** The server's own node was out of step or did not answer; the same call works a moment later. */
export class LiteserverNotReadyError extends RefusalError {
  override readonly name = 'LiteserverNotReadyError'
  readonly code = 'ERR_TONPLUG_LITESERVER_NOT_READY'
  override readonly retryable = true

  constructor(facts: ApiErrorDetails) {
    super(facts, 'the liteserver was not ready; try again')
  }
}

/**
 * The nodes that were asked do not have this history: most keep the last weeks only. With `archival: 'auto'`
 * `getTransactions` asks those that keep all of it too. Also when there never was a transaction with that lt and hash.
 */
export class HistoryNotAvailableError extends RefusalError {
  override readonly name = 'HistoryNotAvailableError'
  readonly code = 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE'

  constructor(facts: ApiErrorDetails) {
    const hint = facts.endpoint.startsWith('getTransactions')
      ? "archival: 'auto' asks all, so check address, lt and hash then"
      : 'ask a server whose nodes keep all of it'
    super(facts, `no node that was asked has this history; ${hint}`)
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
export class MessageRejectedError extends RefusalError<MessageRejectedErrorDetails> {
  override readonly name = 'MessageRejectedError'
  readonly code = 'ERR_TONPLUG_MESSAGE_REJECTED'

  constructor(facts: MessageRejectedErrorDetails) {
    const why = facts.exitCode === undefined ? '' : ` with exit code ${facts.exitCode}`
    super(facts, `the message was rejected${why}`)
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

/**
 * The node has had this very message within the last minute, or one with the same seqno, and may have accepted it. Look
 * for it by its hash before you sign another one.
 */
export class DuplicateMessageError extends RefusalError {
  override readonly name = 'DuplicateMessageError'
  readonly code = 'ERR_TONPLUG_DUPLICATE_MESSAGE'

  constructor(facts: ApiErrorDetails) {
    const problem =
      'the node has this message already; look for it by its hash before you sign another one'
    super(facts, problem)
  }
}

/** Any other failure of the server. */
export class ServerError extends RefusalError {
  override readonly name = 'ServerError'
  readonly code = 'ERR_TONPLUG_SERVER'
  override readonly retryable: boolean

  constructor(facts: ApiErrorDetails & { isRetryable: boolean }) {
    const { isRetryable, ...details } = facts
    super(details, 'the server failed')
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

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
