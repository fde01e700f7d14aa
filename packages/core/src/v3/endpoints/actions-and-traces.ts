import { optionalParam } from '../../schema/param.js'
import { addressParam, boolParam, hashParam } from '../../schema/params.js'
import { atLeastOne, atMostOne, exactlyOne, paramsObject } from '../../schema/params-object.js'
import { actionTypeParam } from '../action-type.js'
import { getEndpoint } from '../endpoint.js'
import { inTime, sorted } from '../list-params.js'
import { blockSeqnoParam, manyParam } from '../params.js'

const hashes = optionalParam(manyParam(hashParam))

const actionTypes = {
  /** Types that the answer may have, or short cuts such as `v1` and `latest`. @default latest */
  supported_action_types: optionalParam(manyParam(actionTypeParam)),
}

const fullTransactions = {
  /** Whether to send the transactions of each action, as `transactions_full`. @default false */
  include_transactions: optionalParam(boolParam),
}

const ofTraces = {
  /** An account that has a part in them. */
  account: optionalParam(addressParam),
  /** The ids of the traces. */
  trace_id: hashes,
  /** The hash of any of their transactions. */
  tx_hash: hashes,
  /** The hash of any of their messages, or the normalised hash of the one that began them. */
  msg_hash: hashes,
  /** The masterchain block in which they ended. */
  mc_seqno: optionalParam(blockSeqnoParam),
  ...inTime,
  ...sorted,
}

const pending = {
  /** An account that has a part in them. */
  account: optionalParam(addressParam),
  /** The normalised hash of the message that began them: `message_hash_norm` of the one that was sent. */
  ext_msg_hash: hashes,
}

const oneKind = atMostOne('account', 'trace_id', 'tx_hash', 'msg_hash')

/** Actions and traces: what messages caused, and what it was meant to do. */
export const actionsAndTraces = {
  /**
   * Actions of a filter, those of the newest traces first.
   * Bounds of time and lt are about the end of the trace. `type` tells the shape of `details`; amounts are in base
   * units.
   * @throws {NotFoundError} when the index does not have the masterchain block `mc_seqno`.
   * @example
   * const { actions } = await v3.actions({ account: address, action_type: 'jetton_transfer' })
   * for (const action of actions) {
   *   if (action.type !== 'jetton_transfer' || action.success !== true) continue
   *   console.log(action.details?.sender, action.details?.amount)
   * }
   */
  actions: getEndpoint('/actions', {
    params: paramsObject({
      ...ofTraces,
      /** The ids of the actions. */
      action_id: hashes,
      /** Only actions of these types. @default all */
      action_type: optionalParam(manyParam(actionTypeParam)),
      /** No actions of these types. @default none */
      exclude_action_type: optionalParam(manyParam(actionTypeParam)),
      ...actionTypes,
      /** Whether to send the accounts of each action, as `accounts`. @default false */
      include_accounts: optionalParam(boolParam),
      ...fullTransactions,
    }),
  }),

  /**
   * Actions that are not yet in a final block.
   * They may come otherwise or never: nothing here has been paid. Where none is pending the list is empty, for a server
   * that answers 404 as well.
   * @example
   * const { actions } = await v3.pendingActions({ account: address })
   * for (const { type, finality } of actions) console.log(type, finality)
   */
  pendingActions: getEndpoint('/pendingActions', {
    params: paramsObject(
      { ...pending, ...actionTypes, ...fullTransactions },
      atLeastOne('account', 'ext_msg_hash'),
    ),
    whenNone: () => ({ actions: [] }),
  }),

  /**
   * Traces that are not yet in a final block.
   * They may come otherwise or never: nothing here has been paid. Hashes of their transactions may still change. Where
   * none is pending the list is empty, for a server that answers 404 as well.
   * @example
   * const { message_hash_norm } = await v3.message({ boc })
   * const { traces } = await v3.pendingTraces({ ext_msg_hash: message_hash_norm })
   * console.log(traces[0]?.trace_info.pending_messages)
   */
  pendingTraces: getEndpoint('/pendingTraces', {
    params: paramsObject(pending, atLeastOne('account', 'ext_msg_hash')),
    whenNone: () => ({ traces: [] }),
  }),

  /**
   * Traces of a filter, the newest first, each with its tree of transactions.
   * Bounds of time and lt are about the end of the trace. A trace has come to its end when `trace_info.trace_state` is
   * `complete`. One of more than 4000 transactions comes without them, as `is_incomplete` tells.
   * @throws {NotFoundError} when the index does not have the masterchain block `mc_seqno`.
   * @example
   * const [trace] = (await v3.traces({ msg_hash: hash, include_actions: true })).traces
   * console.log(trace?.trace_info.trace_state)
   * for (const { type, success } of trace?.actions ?? []) console.log(type, success)
   */
  traces: getEndpoint('/traces', {
    params: paramsObject(
      {
        ...ofTraces,
        /** Whether to send the actions of each trace. @default false */
        include_actions: optionalParam(boolParam),
        ...actionTypes,
      },
      oneKind,
    ),
  }),

  /**
   * Traces with their actions, the newest first: `traces` by an older name. No description has it.
   * @throws {NotFoundError} when the index does not have the masterchain block `mc_seqno`.
   * @example
   * const { events } = await v3.events({ account: address, limit: 1 })
   * console.log(events[0]?.trace_id)
   */
  events: getEndpoint('/events', {
    params: paramsObject({ ...ofTraces, ...actionTypes }, oneKind),
    isUndocumented: true,
  }),

  /**
   * What a trace, or an action of one, changed in the balances of accounts. No description has it.
   * @throws {NotFoundError} when the index does not have the action.
   * @example
   * const { changes } = await v3.balanceChanges({ trace_id: hash })
   * for (const [account, nanocoins] of Object.entries(changes)) console.log(account, nanocoins)
   */
  balanceChanges: getEndpoint('/balanceChanges', {
    params: paramsObject(
      {
        /** The id of the trace. */
        trace_id: optionalParam(hashParam),
        /** The id of the action. */
        action_id: optionalParam(hashParam),
      },
      exactlyOne('trace_id', 'action_id'),
    ),
    isUndocumented: true,
  }),
}
