import { CallError, describeCall, type CallFacts } from './call-error.js'

export interface RefusalDetails extends CallFacts {
  /** The HTTP status, or the `code` of the body when the status was 200. */
  status: number
  /** The server's error text, shortened. */
  reason: string
  /** The `code` in the body, as received: the HTTP status may differ. */
  serverCode?: number | string | undefined
  /** The server's `@extra`, which identifies the request in its logs. */
  requestId: string | undefined
}

const PROBLEMS = {
  ERR_TONPLUG_AUTHENTICATION: 'the API key is missing or invalid; check apiKey',
  ERR_TONPLUG_WRONG_NETWORK: 'the API key is not for this network; check network and apiKey',
  ERR_TONPLUG_NOT_FOUND: 'not found',
  ERR_TONPLUG_UNKNOWN_METHOD: 'the server has no such method',
  ERR_TONPLUG_CONFLICT: 'the account does not fit this endpoint',
  ERR_TONPLUG_VALIDATION: 'the server rejected the parameters',
  ERR_TONPLUG_LITESERVER_NOT_READY: 'the liteserver was not ready',
  ERR_TONPLUG_HISTORY_NOT_AVAILABLE: 'the nodes do not have this history',
  ERR_TONPLUG_DUPLICATE_MESSAGE:
    'the node already has it; look for the message by its hash before you sign another one',
  ERR_TONPLUG_SERVER: 'the server failed',
} as const

export type ApiErrorCode =
  | 'ERR_TONPLUG_AUTHENTICATION'
  | 'ERR_TONPLUG_WRONG_NETWORK'
  | 'ERR_TONPLUG_NOT_FOUND'
  | 'ERR_TONPLUG_UNKNOWN_METHOD'
  | 'ERR_TONPLUG_CONFLICT'
  | 'ERR_TONPLUG_VALIDATION'
  | 'ERR_TONPLUG_LITESERVER_NOT_READY'
  | 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE'
  | 'ERR_TONPLUG_DUPLICATE_MESSAGE'
  | 'ERR_TONPLUG_SERVER'

/**
 * The API responded with an error:
 * - `ERR_TONPLUG_AUTHENTICATION`: 401, or 403 for another reason than the network. The API key is unknown, blocked or
 *   missing.
 * - `ERR_TONPLUG_WRONG_NETWORK`: 403. The API key belongs to the other network.
 * - `ERR_TONPLUG_NOT_FOUND`: 404, or an equivalent text. The transaction or block does not exist, or this node does not
 *   have it.
 * - `ERR_TONPLUG_UNKNOWN_METHOD`: the server does not have the method: only the other kind of server has it, or the path
 *   is wrong.
 * - `ERR_TONPLUG_CONFLICT`: 409. The account is of another kind, for example a wallet in `getTokenData`.
 * - `ERR_TONPLUG_VALIDATION`: 400, 416, 422 and other 4xx. The server does not accept the parameters.
 * - `ERR_TONPLUG_LITESERVER_NOT_READY`: the server's node was out of sync or did not respond. Retryable.
 * - `ERR_TONPLUG_HISTORY_NOT_AVAILABLE`: the nodes do not have this history, since most keep the last weeks only; or there
 *   never was a transaction with that lt and hash. `archival: 'auto'` of `getTransactions` also asks archival nodes.
 * - `ERR_TONPLUG_DUPLICATE_MESSAGE`: within the last minute, the node received this message, or one with the same seqno,
 *   and may have accepted it. Look for it by its hash before you sign another one.
 * - `ERR_TONPLUG_SERVER`: any other failure of the server.
 */
export class ApiError extends CallError<RefusalDetails> {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  override readonly retryable: boolean

  /** @param facts.hint what to do, in addition to the message of the code */
  constructor(
    facts: RefusalDetails & {
      code: ApiErrorCode
      hint?: string | undefined
      isRetryable?: boolean | undefined
    },
  ) {
    const { code, hint = hintOf(code, facts.endpoint), isRetryable = false, ...details } = facts
    super({ message: describeRefusal(details, PROBLEMS[code] + hint), details })
    this.code = code
    this.retryable = isRetryable
  }
}

function hintOf(code: ApiErrorCode, endpoint: string): string {
  if (code !== 'ERR_TONPLUG_HISTORY_NOT_AVAILABLE') return ''
  return endpoint.startsWith('getTransactions')
    ? "; check address, lt and hash, or set archival: 'auto'"
    : '; use an archival server'
}

/** Returns true for an {@link ApiError} of this code. */
export function isApiError(error: unknown, code: ApiErrorCode): error is ApiError {
  return error instanceof ApiError && error.code === code
}

export interface MessageRejectedErrorDetails extends RefusalDetails {
  /** The contract's exit code; `undefined` when the contract did not run or the server does not report it. */
  exitCode: number | undefined
  /** The end of the virtual machine's log; `undefined` without one. */
  log: string | undefined
}

/** The network does not accept the external message. Sending it again has the same result. */
export class MessageRejectedError extends CallError<MessageRejectedErrorDetails> {
  override readonly name = 'MessageRejectedError'
  readonly code = 'ERR_TONPLUG_MESSAGE_REJECTED'

  constructor(details: MessageRejectedErrorDetails) {
    const why = details.exitCode === undefined ? '' : ` with exit code ${details.exitCode}`
    super({ message: describeRefusal(details, `the message was rejected${why}`), details })
  }

  /** The contract's exit code, if the server reports it. */
  get exitCode(): number | undefined {
    return this.details.exitCode
  }

  /** The end of the virtual machine's log, if any. */
  get log(): string | undefined {
    return this.details.log
  }
}

export interface ResponseShapeErrorDetails extends CallFacts {
  /** The field, for example `result[0].transaction_id.lt`; empty for the body as a whole. */
  path: string
  expected: string
  /** The server's `@extra`, which identifies the request in its logs. */
  requestId: string | undefined
  /** The HTTP status; `undefined` when the list as a whole is wrong, not one response. */
  status?: number | undefined
  /** The beginning of the body, on one line. */
  excerpt?: string | undefined
}

/** A required field of the response is missing or malformed. */
export class ResponseShapeError extends CallError<ResponseShapeErrorDetails> {
  override readonly name = 'ResponseShapeError'
  readonly code = 'ERR_TONPLUG_RESPONSE_SHAPE'

  constructor(details: ResponseShapeErrorDetails) {
    const where = details.path === '' ? 'the body' : details.path
    const message = `${describeCall(details)}: ${where} of the response is not ${details.expected}`
    super({ message, details })
  }

  /** The field; empty for the body as a whole. */
  get path(): string {
    return this.details.path
  }
}

/** One invalid parameter of a call. */
export interface ParamsIssue {
  /** The parameter, for example `libraries[2]`; empty when it is about several. */
  path: string
  problem: string
}

export interface InvalidParamsErrorDetails extends CallFacts {
  issues: readonly ParamsIssue[]
}

/** The parameters of a call are invalid, so nothing was sent. */
export class InvalidParamsError extends CallError<InvalidParamsErrorDetails> {
  override readonly name = 'InvalidParamsError'
  readonly code = 'ERR_TONPLUG_INVALID_PARAMS'

  constructor({ endpoint, issues }: { endpoint: string; issues: readonly ParamsIssue[] }) {
    const list = issues.map(({ path, problem }) => (path === '' ? problem : `${path} ${problem}`))
    super({
      message: `${endpoint}: ${list.join('; ')}`,
      details: { endpoint, attempts: 0, issues },
    })
  }
}

function describeRefusal(details: RefusalDetails, problem: string): string {
  const { status, reason } = details
  const text = reason === '' ? '' : `: ${firstLine(reason)}`
  return `${describeCall(details)}: ${problem} (${status}${text})`
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? ''
  return line.length > 200 ? `${line.slice(0, 200)}…` : line
}
