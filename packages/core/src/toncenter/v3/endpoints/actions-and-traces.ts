import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam, hashParam } from '../../schema/params.js'
import { atLeastOne, atMostOne, exactlyOne } from '../../schema/params-object.js'
import { getEndpoint } from '../endpoint.js'
import { actionTypeParam, blockSeqnoParam, inTime, manyParam, sorted } from '../params.js'

const hashes = optionalParam(manyParam(hashParam))

const actionTypes = {
  /** Types that the response may contain, or shortcuts, for example `v1` and `latest`. @default latest */
  supported_action_types: optionalParam(manyParam(actionTypeParam)),
}

const fullTransactions = {
  /** Includes the transactions of each action, as `transactions_full`. @default false */
  include_transactions: optionalParam(boolParam),
}

const ofTraces = {
  /** An account that takes part in them. */
  account: optionalParam(addressParam),
  /** The ids of the traces. */
  trace_id: hashes,
  /** The hash of any of their transactions. */
  tx_hash: hashes,
  /** The hash of any of their messages, or the normalized hash of the message that started them. */
  msg_hash: hashes,
  /** The masterchain block in which they ended. */
  mc_seqno: optionalParam(blockSeqnoParam),
  ...inTime,
  ...sorted,
}

const pending = {
  /** An account that takes part in them. */
  account: optionalParam(addressParam),
  /** The normalized hash of the message that started them: `message_hash_norm` of the sent message. */
  ext_msg_hash: hashes,
}

const oneKind = atMostOne('account', 'trace_id', 'tx_hash', 'msg_hash')

/** Actions and traces: the effects of messages and their meaning. */
export const actionsAndTraces = {
  /**
   * Returns actions that match a filter, with the newest traces first.
   * Bounds of time and lt apply to the end of the trace. `type` selects the format of `details`; amounts are in base
   * units.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the masterchain block `mc_seqno`.
   * @example
   * const { actions } = await v3.actions({ account: address, action_type: 'jetton_transfer' })
   * for (const action of actions) {
   *   if (action.type !== 'jetton_transfer' || action.success !== true) continue
   *   console.log(action.details.sender, action.details.amount)
   * }
   */
  actions: getEndpoint('/actions', {
    ...ofTraces,
    /** The ids of the actions. */
    action_id: hashes,
    /** Only actions of these types. @default all */
    action_type: optionalParam(manyParam(actionTypeParam)),
    /** Types to leave out. @default none */
    exclude_action_type: optionalParam(manyParam(actionTypeParam)),
    ...actionTypes,
    /** Includes the accounts of each action, as `accounts`. @default false */
    include_accounts: optionalParam(boolParam),
    ...fullTransactions,
  }),

  /**
   * Returns actions that are not yet in a final block.
   * They may change or never happen: none of them is a payment. If nothing is pending, the list is empty, also if the
   * server responds with 404.
   * @example
   * const { actions } = await v3.pendingActions({ account: address })
   * for (const { type, finality } of actions) console.log(type, finality)
   */
  pendingActions: getEndpoint(
    '/pendingActions',
    { ...pending, ...actionTypes, ...fullTransactions },
    { rules: [atLeastOne('account', 'ext_msg_hash')], whenNone: () => ({ actions: [] }) },
  ),

  /**
   * Returns traces that are not yet in a final block.
   * They may change or never happen: none of them is a payment. Hashes of their transactions may still change. If
   * nothing is pending, the list is empty, also if the server responds with 404.
   * @example
   * const { message_hash_norm } = await v3.message({ boc })
   * const { traces } = await v3.pendingTraces({ ext_msg_hash: message_hash_norm })
   * console.log(traces[0]?.trace_info.pending_messages)
   */
  pendingTraces: getEndpoint('/pendingTraces', pending, {
    rules: [atLeastOne('account', 'ext_msg_hash')],
    whenNone: () => ({ traces: [] }),
  }),

  /**
   * Returns traces that match a filter, newest first, each with its tree of transactions.
   * Bounds of time and lt apply to the end of the trace. A trace has ended when `trace_info.trace_state` is
   * `complete`. A trace of more than 4000 transactions is returned without them and with `is_incomplete`.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the masterchain block `mc_seqno`.
   * @example
   * const [trace] = (await v3.traces({ msg_hash: hash, include_actions: true })).traces
   * console.log(trace?.trace_info.trace_state)
   * for (const { type, success } of trace?.actions ?? []) console.log(type, success)
   */
  traces: getEndpoint(
    '/traces',
    {
      ...ofTraces,
      /** Includes the actions of each trace. @default false */
      include_actions: optionalParam(boolParam),
      ...actionTypes,
    },
    { rules: [oneKind] },
  ),

  /**
   * Returns traces with their actions, newest first: an older name of `traces`. Undocumented.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the masterchain block `mc_seqno`.
   * @example
   * const { events } = await v3.events({ account: address, limit: 1 })
   * console.log(events[0]?.trace_id)
   */
  events: getEndpoint(
    '/events',
    { ...ofTraces, ...actionTypes },
    { rules: [oneKind], isUndocumented: true },
  ),

  /**
   * Returns the balance changes that a trace, or one of its actions, caused. Undocumented.
   * @throws {ApiError} `ERR_TONPLUG_NOT_FOUND` if the index does not have the action.
   * @example
   * const { changes } = await v3.balanceChanges({ trace_id: hash })
   * for (const [account, nanocoins] of Object.entries(changes)) console.log(account, nanocoins)
   */
  balanceChanges: getEndpoint(
    '/balanceChanges',
    {
      /** The id of the trace. */
      trace_id: optionalParam(hashParam),
      /** The id of the action. */
      action_id: optionalParam(hashParam),
    },
    { rules: [exactlyOne('trace_id', 'action_id')], isUndocumented: true },
  ),
}
