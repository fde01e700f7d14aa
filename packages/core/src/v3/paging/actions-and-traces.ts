import type { ResultOf } from '../../endpoint/endpoint.js'
import type { WireParams } from '../../schema/check-params.js'
import { actionsAndTraces } from '../endpoints/actions-and-traces.js'
import { byLt, byUtime } from './axes.js'
import { readinessOfFinality, timedList, type Readiness } from './timed-list.js'

type Trace = ResultOf<typeof actionsAndTraces.traces>['traces'][number]

/**
 * `/actions` is ordered by the end of the action's trace, its lt or with a utime parameter its time, which is what the
 * bounds are about as well; then by trace, the action's own end, and id. With `action_id` or `trace_id` the server
 * looks at nothing else. Actions of a trace appear when it has been classified, some time after its transactions, and
 * are replaced when it is classified anew.
 * Source: the index server of API v3, query of actions.
 */
export const actionList = timedList({
  endpoint: actionsAndTraces.actions,
  rowsOf: ({ actions }) => actions,
  idOf: ({ trace_id = '', action_id }) => `${trace_id} ${action_id}`,
  lt: byLt('trace_end_lt'),
  utime: byUtime('trace_end_utime'),
  canMove: true,
  canLackKey: true,
  isUnordered: ({ action_id, trace_id }) => action_id !== undefined || trace_id !== undefined,
  readinessOf: readinessOfFinality,
})

const rulesOfTraces = {
  idOf: ({ trace_id, external_hash = '' }: Trace): string => trace_id ?? external_hash,
  lt: byLt('end_lt'),
  utime: byUtime('end_utime'),
  canMove: true,
  canLackKey: true,
}

/**
 * `/traces` is ordered by the end of the trace, its lt or with a utime parameter its time, which is what the bounds are
 * about as well; then by trace. A pending trace moves on with every transaction that it gets.
 * Source: the index server of API v3, query of traces.
 */
export const traceList = timedList({
  ...rulesOfTraces,
  endpoint: actionsAndTraces.traces,
  rowsOf: ({ traces }) => traces,
  readinessOf: (trace: Trace, { include_actions }: WireParams) =>
    readinessOf(trace, include_actions === true),
})

/** As `/traces`, always with the actions. */
export const eventList = timedList({
  ...rulesOfTraces,
  endpoint: actionsAndTraces.events,
  rowsOf: ({ events }) => events,
  readinessOf: (trace: Trace) => readinessOf(trace, true),
})

function readinessOf({ trace_info }: Trace, hasActions: boolean): Readiness {
  if (trace_info.trace_state === 'pending') return 'growing'
  const isBare = hasActions && trace_info.classification_state === 'unclassified'
  return isBare ? 'bare' : 'ready'
}
