import type { ResponseMeta } from '../../transport/transport.js'
import type { PollCalls } from './follow-source.js'

/** Calls of one poll, which know when another server took over. */
export interface ServerCalls extends PollCalls {
  /** Whether another server than the first one has answered: it may be behind. */
  hasMoved(): boolean
}

/** Watches which server answers. */
export function onOneServer({ call, readRaw }: PollCalls): ServerCalls {
  let root: string | undefined
  let hasMoved = false
  const onResponse = ({ baseUrl }: ResponseMeta): void => {
    root ??= baseUrl
    if (baseUrl !== root) hasMoved = true
  }
  return {
    call: async (endpoint, params, options) => call(endpoint, params, { ...options, onResponse }),
    readRaw,
    hasMoved: () => hasMoved,
  }
}
