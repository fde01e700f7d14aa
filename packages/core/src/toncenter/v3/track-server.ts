import type { ResponseMeta } from '../transport/request.js'
import type { V3Call } from './call.js'

/** Wraps a call function and records if the server has changed. Another server may be behind. */
export function trackServer(call: V3Call): { call: V3Call; hasChanged: () => boolean } {
  let first: string | undefined
  let hasChanged = false
  const onResponse = ({ baseUrl }: ResponseMeta): void => {
    first ??= baseUrl
    if (baseUrl !== first) hasChanged = true
  }
  return {
    call: async (endpoint, params, options) => call(endpoint, params, { ...options, onResponse }),
    hasChanged: () => hasChanged,
  }
}
