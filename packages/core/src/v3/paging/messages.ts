import type { ResultOf } from '../../endpoint/endpoint.js'
import type { WireParams } from '../../schema/check-params.js'
import { blockchainData } from '../endpoints/blockchain-data.js'
import { byLt, byUtime } from './axes.js'
import { keyLeg } from './key-leg.js'
import { offsetLeg } from './offset-leg.js'
import { timedList } from './timed-list.js'

type Row = ResultOf<typeof blockchainData.messages>['messages'][number]

const BOUNDS = ['start_lt', 'end_lt', 'start_utime', 'end_utime']

/** One message from outside may be received several times; only the transaction tells them apart. */
const idOf = ({ hash, created_lt, in_msg_tx_hash = '' }: Row): string =>
  created_lt === undefined ? `${hash} ${in_msg_tx_hash}` : hash

const bounded = timedList({
  endpoint: blockchainData.messages,
  rowsOf: ({ messages }) => messages,
  idOf,
  lt: byLt('created_lt'),
  utime: byUtime('created_at'),
  // They have no time to be followed by.
  followParams: { exclude_externals: true },
})

/**
 * `/messages` is ordered by the lt of sending, then by hash; with a utime parameter by the time of sending. Messages
 * from outside have neither: no bound finds them, and they stand before all others when the newest come first, after
 * them otherwise. So a walk without bounds asks for either kind on its own, those from outside by offset, since they
 * are ordered by hash alone.
 * Source: the index server of API v3, query of messages.
 */
export const messageList: typeof bounded = {
  ...bounded,
  legsOf(params) {
    if (!hasExternals(params)) return bounded.legsOf(params)
    const others = { exclude_externals: true }
    const externals = offsetLeg({
      endpoint: bounded.endpoint.name,
      idOf,
      also: { sort: params['sort'] ?? 'desc', only_externals: true },
    })
    if (params['only_externals'] === true) return [externals]
    const internals = keyLeg({ ...bounded.utime, axis: byLt('created_lt'), also: others })
    return params['sort'] === 'asc' ? [internals, externals] : [externals, internals]
  },
}

/** Whether messages from outside can be among them. */
function hasExternals(params: WireParams): boolean {
  const { source = 'null', direction, exclude_externals } = params
  const isBounded = BOUNDS.some((name) => params[name] !== undefined)
  return !isBounded && exclude_externals !== true && source === 'null' && direction !== 'out'
}
