import type { RawRequest } from '../endpoint/raw-request.js'
import type { RequestOptions } from '../transport/call-options.js'
import type { ResponseMeta } from '../transport/request.js'
import type { Transport } from '../transport/transport.js'
import { createCall, sendRequest, type V3Call } from './call.js'
import { v3Decoders } from './generated/decoders.js'

/** Calls that keep to one server while it responds, since servers differ by some blocks. */
export interface ServerCalls {
  readonly call: V3Call
  /** Returns an unchecked response body, for unreadable rows. */
  readRaw(this: void, request: RawRequest, options: RequestOptions): Promise<unknown>
  /** Returns true if another server has responded to a call, which may be behind. */
  hasServerChanged(this: void): boolean
}

export function openServer(transport: Transport): ServerCalls {
  const sticky = transport.sticky()
  const call = createCall(sticky, v3Decoders)
  let first: string | undefined
  let hasChanged = false
  const onResponse = ({ baseUrl }: ResponseMeta): void => {
    first ??= baseUrl
    if (baseUrl !== first) hasChanged = true
  }
  return {
    call: async (endpoint, params, options) => call(endpoint, params, { ...options, onResponse }),
    readRaw: async (request, options) => sendRequest(sticky, request, options),
    hasServerChanged: () => hasChanged,
  }
}
