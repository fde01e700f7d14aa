import { createHash } from 'node:crypto'
import { RepositoryError, type StandingDecision, type Verdict } from '@tonplug/core'
import { toJson } from './json.js'
import type { Row } from './queryable.js'
import { toDelivery } from './rows.js'
import { decideDelivery, findDelivery } from './sql/deliveries.js'
import type { Statement } from './sql/statement.js'

/** Runs one statement on a database or in a transaction. */
export type Run = (statement: Statement, values: (string | null)[]) => Promise<Row[]>

const ID = /^[1-9]\d{0,17}$/

/** Whether the text can be an id of a row at all. */
export function isId(text: string): boolean {
  return ID.test(text)
}

/** Parameters 1 to 6 of the statements that record a verdict. */
export function verdictValues(deliveryId: string, verdict: Verdict): (string | null)[] {
  const { decision, tasks, retryAtMs } = verdict
  return [
    deliveryId,
    retryAtMs === undefined ? 'decided' : 'parked',
    toJson(decision),
    decision.kind,
    retryAtMs === undefined ? null : String(retryAtMs),
    toJson(
      tasks.map(({ handler, idempotencyKey }) => {
        const hash = createHash('sha256').update(idempotencyKey).digest('hex')
        return { handler, key: idempotencyKey, hash }
      }),
    ),
  ]
}

/** Records the verdict unless a final decision stands. @throws {RepositoryError} when there is no such delivery. */
export async function recordVerdict(
  run: Run,
  deliveryId: string,
  verdict: Verdict,
): Promise<StandingDecision> {
  if (!isId(deliveryId)) throw missing(deliveryId)
  const rows = await run(decideDelivery, verdictValues(deliveryId, verdict))
  return rows.length > 0
    ? { isRecorded: true, decision: verdict.decision }
    : standingDecision(run, deliveryId)
}

/** The final decision that kept another from being recorded. */
export async function standingDecision(run: Run, deliveryId: string): Promise<StandingDecision> {
  const [row] = await run(findDelivery, [deliveryId])
  const decision = row && toDelivery(row).decision
  if (decision === undefined) throw missing(deliveryId)
  return { isRecorded: false, decision }
}

function missing(deliveryId: string): RepositoryError {
  const problem = `the inbox has no delivery ${JSON.stringify(deliveryId)} with a decision`
  return new RepositoryError({ operation: 'inbox.decide', problem })
}
