import { z } from 'zod'
import type { Decision } from '../orders/decision.js'
import type { Order } from '../orders/order.js'
import { checkedKey } from '../engine/read-key.js'
import type { TransferReport } from '../engine/report.js'
import { lazy } from '../../shared/lazy.js'
import { parseOptions, type OptionSchemas } from '../../shared/options.js'
import type { OperatorContext } from './context.js'
import { operatorNote, type OperatorNote } from './note.js'
import { findReportedMoney } from './reported-money.js'

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
  const transfer = { ...found.transfer, reference }
  const payload = { event: 'transfer.completed', timestamp: transfer.date, data: transfer }
  const rawBody = JSON.stringify({ ...payload, operator: { by, reason } })
  const { payments } = found
  const report: TransferReport = { merchant, source: 'operator', rawBody, transfer, payments }
  return engine.submitByOperator(report, { claimLateRefunds })
}
