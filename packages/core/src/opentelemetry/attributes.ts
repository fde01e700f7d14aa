import { isTonplugError } from '../shared/tonplug-error.js'

// tonplug's own attributes. Semantic conventions of OpenTelemetry are literals where they are used.
export const PAYMENTS_NAME = 'tonplug.payments.name'
export const DECISION_KIND = 'tonplug.decision.kind'
export const REFUSAL_KIND = 'tonplug.refusal.kind'
export const REFUSAL_REASON = 'tonplug.refusal.reason'
export const HANDLER_NAME = 'tonplug.handler.name'
export const HANDLER_OUTCOME = 'tonplug.handler.outcome'
export const ENDPOINT = 'tonplug.endpoint'
export const API = 'tonplug.api'

// Only on spans: their cardinality is too high for metrics.
export const REPORT_ID = 'tonplug.report.id'
export const ORDER_REFERENCE = 'tonplug.order.reference'
export const HANDLER_ATTEMPT = 'tonplug.handler.attempt'

/** OpenTelemetry's fallback value for attributes of low cardinality. */
const OTHER = '_OTHER'

/** Returns the name of an endpoint; `_OTHER` for a custom path, which may contain an address. */
export function endpointName(endpoint: string): string {
  return /^[a-z][A-Za-z0-9]{0,39}$/.test(endpoint) ? endpoint : OTHER
}

/** Returns the attribute `error.type`: the code of a TonplugError, otherwise the error's name. */
export function errorType(error: unknown): { 'error.type': string } {
  if (isTonplugError(error)) return { 'error.type': error.code }
  return { 'error.type': error instanceof Error ? error.name : OTHER }
}
