import type { MockGatewayOptions } from '@tonplug/testing'

/** With it, a receiver of tonplug adds its decision to the response. */
export const EXPLAIN_HEADER = { 'x-tonplug-explain': '1' }

/** Sends deliveries that ask for the decision. */
export const explainedFetch: MockGatewayOptions['fetch'] = (url, { headers, ...init }) =>
  fetch(url, { ...init, headers: { ...headers, ...EXPLAIN_HEADER } })
