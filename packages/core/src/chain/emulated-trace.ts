import type { WholeEmulation } from '../toncenter/v3/schemas/emulation.js'
import type { Trace } from '../toncenter/v3/schemas/trace.js'

/** Returns a complete emulation in the format of a trace. Nothing in it is final. A trace is returned unchanged. */
export function asTrace(given: Trace | WholeEmulation): Trace {
  if ('trace_info' in given) return given
  const { trace, transactions, actions } = given
  const inOrder = Object.values(transactions).toSorted((one, other) => (one.lt < other.lt ? -1 : 1))
  const [first] = inOrder
  return {
    trace,
    transactions,
    actions,
    transactions_order: inOrder.map(({ hash }) => hash),
    start_lt: first?.lt ?? 0n,
    start_utime: first?.now ?? 0,
    trace_info: {
      trace_state: 'complete',
      messages: inOrder.length,
      transactions: inOrder.length,
      pending_messages: 0,
    },
  }
}
