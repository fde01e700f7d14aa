import { z } from 'zod'
import type { Decision } from '../orders/decision.js'
import { orderId, type Order, type OrderKey } from '../orders/order.js'
import { checkedKey } from '../engine/read-key.js'
import type { TransferReport } from '../engine/report.js'
import { isToldByChain } from '../engine/bad-news.js'
import { ConfigurationError } from '../../shared/configuration-error.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import type { OperatorContext } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { findReportedMoney, type ReportedMoney } from './reported-money.js'

/** A transaction, and the order that an operator assigns its money to. */
export interface Assignment {
  /** The transaction of a stored report, in hex or base64. */
  transactionHash: string
  reference: string
  /** The merchant of the order. @default '' */
  merchant?: string | undefined
}

/** The report that an operator's action has stored. */
export interface OperatorDecision {
  reportId: string
  /** Absent when this process may not decide: a started process with the pinned policy decides within seconds. */
  decision?: Decision | undefined
}

const ASSIGNMENT = lazy(() =>
  z.strictObject({
    transactionHash: z.string().min(1),
    reference: z.string().min(1),
    merchant: z.string().optional(),
    ...operatorNote(),
  } satisfies OptionSchemas<Assignment & OperatorNote>),
)

/** See `Operator.assign`. */
export async function assign<O extends Order>(
  { engine, inbox, name, claimLateRefunds }: OperatorContext<O>,
  assignment: Assignment,
  note: OperatorNote,
): Promise<OperatorDecision> {
  const given = parseOptions(ASSIGNMENT(), { ...assignment, ...note }, { path: 'assign' })
  const { transactionHash, by, reason } = given
  const { reference, merchant } = checkedKey(given)
  const found = await findReportedMoney(inbox, { name, merchant, transactionHash })
  checkIsShown(found, { reference, merchant })
  const transfer = { ...found.transfer, reference }
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  const rawBody = JSON.stringify({ ...payload, operator: { by, reason } })
  const { payments } = found
  const report: TransferReport = { merchant, source: 'operator', rawBody, transfer, payments }
  return engine.submitByOperator(report, { claimLateRefunds })
}

/**
 * A webhook may name another transaction of the payment that completed its order, and one that has just arrived may complete it.
 * @throws {ConfigurationError} until its order is decided and the chain has shown whether it is another payment, for at most an hour.
 */
function checkIsShown({ reports }: ReportedMoney, order: OrderKey): void {
  const waiting = reports.find((report) => {
    const { state, source, decision } = report
    if (state === 'parked') return decision?.kind === 'extra_payment' && isToldByChain(decision)
    return state === 'undecided' && source !== 'operator' && orderId(report) !== orderId(order)
  })
  if (waiting === undefined) return
  const problem = `expected money that the chain has shown, but this may be the payment of the order ${JSON.stringify(waiting.reference)}; assign it when operator.list() has it`
  throw new ConfigurationError({ option: 'transactionHash', problem })
}
