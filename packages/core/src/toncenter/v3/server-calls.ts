import type { FollowedServer } from '../follow/watch.js'
import type { ResponseMeta } from '../transport/request.js'
import type { Transport } from '../transport/transport.js'
import { createCall, sendRequest, type V3Call } from './call.js'
import { blockchainData } from './endpoints/blockchain-data.js'
import { v3Decoders } from './generated/decoders.js'

/** Calls of API v3 that keep to one server while it responds. */
export interface ServerCalls extends FollowedServer {
  readonly call: V3Call
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
  const callFirst: V3Call = async (endpoint, params, options) =>
    call(endpoint, params, { ...options, onResponse })
  return {
    call: callFirst,
    async readHead(options) {
      const { last } = await callFirst(blockchainData.masterchainInfo, {}, options)
      return last.gen_utime
    },
    readRaw: async (request, options) => sendRequest(sticky, request, options),
    hasServerChanged: () => hasChanged,
  }
}
