import type { Decision } from '../orders/decision.js'

/** Reason why a request was rejected without a decision. */
export type Rejection =
  | { kind: 'method_not_allowed'; method: string }
  | { kind: 'unsupported_encoding'; encoding: string }
  | { kind: 'body_too_large'; maxBodyBytes: number }
  | { kind: 'body_incomplete' }
  | { kind: 'raw_body_unavailable' }
  | { kind: 'invalid_signature'; reason: 'missing' | 'malformed' | 'mismatch' }
  | { kind: 'malformed_payload'; issues: readonly { path: string; problem: string }[] }
  | { kind: 'unsupported_event'; event: string }
  | { kind: 'stale'; timestamp: string }
  | { kind: 'unavailable'; reason: 'secrets' | 'store' | 'deadline' | 'starting' | 'closing' }

export type RejectionKind = Rejection['kind']

/** The response for the sender, and the decision that it reports. */
export interface WebhookResponse {
  /** HTTP status. A 2xx is returned only after the decision is durable. */
  status: number
  headers: Record<string, string>
  /** JSON that reveals no more than the status, except to an authentic sender that asks for the decision. */
  body: string
  decision: Decision | Rejection
  /** The merchant whose secret signed the request; set with a decision about a report. */
  merchant?: string | undefined
}

/** Responses to authentic deliveries that are not decided. */
export interface ResponsePolicy {
  unsupportedEvent: 'reject' | 'acknowledge'
  staleDelivery: 'reject' | 'acknowledge'
}

const REJECT_ALL: ResponsePolicy = { unsupportedEvent: 'reject', staleDelivery: 'reject' }
const RETRY_AFTER_SECONDS = '2'
const JSON_TYPE = { 'content-type': 'application/json' }
const ACCEPTED = '{"ok":true}'

/** HTTP status of each rejection. */
const REFUSAL_STATUS: Record<RejectionKind, number> = {
  method_not_allowed: 405,
  unsupported_encoding: 415,
  body_too_large: 413,
  body_incomplete: 408,
  raw_body_unavailable: 500,
  invalid_signature: 401,
  malformed_payload: 400,
  unsupported_event: 400,
  stale: 401,
  unavailable: 503,
}

/**
 * Acknowledges a decision: it is recorded, and a repetition would change nothing.
 * @param isExplained true adds the decision to the body; only for a request with a valid signature.
 */
export function decisionResponse(
  decision: Decision,
  merchant: string,
  isExplained: boolean,
): WebhookResponse {
  const body = isExplained ? JSON.stringify({ ok: true, decision }) : ACCEPTED
  return { status: 200, headers: { ...JSON_TYPE }, body, decision, merchant }
}

/** Returns the response to a request that was rejected. */
export function rejectionResponse(
  rejection: Rejection,
  policy: ResponsePolicy = REJECT_ALL,
): WebhookResponse {
  const status = rejectionStatus(rejection, policy)
  const body = status < 300 ? ACCEPTED : '{"ok":false}'
  return {
    status,
    headers: { ...JSON_TYPE, ...rejectionHeaders(rejection) },
    body,
    decision: rejection,
  }
}

function rejectionStatus(rejection: Rejection, policy: ResponsePolicy): number {
  if (rejection.kind === 'unsupported_event' && policy.unsupportedEvent === 'acknowledge')
    return 200
  if (rejection.kind === 'stale' && policy.staleDelivery === 'acknowledge') return 200
  return REFUSAL_STATUS[rejection.kind]
}

function rejectionHeaders(rejection: Rejection): Record<string, string> {
  switch (rejection.kind) {
    case 'method_not_allowed':
      return { allow: 'POST' }
    // Tells a header that a proxy has removed from a wrong signature.
    case 'invalid_signature':
      return { 'www-authenticate': `Signature error="${rejection.reason}"` }
    case 'unavailable':
      // The body was not read, and a closing server must not keep connections open.
      return rejection.reason === 'closing' || rejection.reason === 'starting'
        ? { 'retry-after': RETRY_AFTER_SECONDS, connection: 'close' }
        : { 'retry-after': RETRY_AFTER_SECONDS }
    // The unread rest of the body would be parsed as the next request.
    case 'body_too_large':
    case 'body_incomplete':
    case 'unsupported_encoding':
      return { connection: 'close' }
    default:
      return {}
  }
}
