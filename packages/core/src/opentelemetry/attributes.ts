import { isTonplugError } from '../errors/tonplug-error.js'

// Those of tonplug. Those that OpenTelemetry defines are written out where they are used.
export const RECEIVER = 'tonplug.receiver'
export const DECISION_KIND = 'tonplug.decision.kind'
export const REFUSAL_KIND = 'tonplug.refusal.kind'
export const REFUSAL_REASON = 'tonplug.refusal.reason'
export const HANDLER_NAME = 'tonplug.handler.name'
export const HANDLER_OUTCOME = 'tonplug.handler.outcome'
export const ENDPOINT = 'tonplug.endpoint'
export const API = 'tonplug.api'

// On spans alone: there is one value for each order or delivery.
export const DELIVERY_ID = 'tonplug.delivery.id'
export const ORDER_REFERENCE = 'tonplug.order.reference'
export const HANDLER_ATTEMPT = 'tonplug.handler.attempt'

/** What OpenTelemetry has for a value that is not one of a few. */
const OTHER = '_OTHER'

/** The name of an endpoint. A path of the caller's own may hold an address, so it is no attribute. */
export function endpointName(endpoint: string): string {
  return /^[a-z][A-Za-z0-9]{0,39}$/.test(endpoint) ? endpoint : OTHER
}

/** The attribute `error.type`: the code of an error of tonplug, otherwise the name. */
export function errorType(error: unknown): { 'error.type': string } {
  if (isTonplugError(error)) return { 'error.type': error.code }
  return { 'error.type': error instanceof Error ? error.name : OTHER }
}
