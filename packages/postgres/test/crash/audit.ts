import type pg from 'pg'
import type { FaultRun } from './fault-run.js'
import { isPayable, type Purchase } from './purchases.js'

/** Returns every broken promise. */
export async function audit(
  db: pg.Pool,
  { purchases, traffic, tally }: FaultRun,
): Promise<string[]> {
  const [reports, completions, runs, tasks] = await Promise.all([
    read<ReportRow>(
      db,
      `SELECT reference, tx_hash, state, decision->>'kind' AS kind FROM tonplug.reports`,
    ),
    read<CompletionRow>(db, 'SELECT reference, tx_hash FROM completions'),
    read<RunRow>(db, 'SELECT reference, key FROM runs'),
    read<TaskRow>(
      db,
      `SELECT r.reference, r.tx_hash, t.handler, t.idempotency_key AS key, t.state FROM tonplug.tasks t
      JOIN tonplug.reports r ON r.id = t.report_id`,
    ),
  ])
  const problems = tally.broken().map((transfer) => `acknowledged, not decided: ${transfer}`)
  for (const { reference, txHash, isGenuine, isDelivered, statuses } of traffic.outcomes()) {
    const facts = `${reference}, ${txHash}, ${statuses.join(' ')}`
    const row = reports.get(reference)?.find(({ tx_hash }) => tx_hash === txHash)
    if (isGenuine !== isDelivered)
      problems.push(`genuine ${isGenuine}, but acknowledged ${isDelivered}: ${facts}`)
    if (isGenuine !== (row?.state === 'decided')) problems.push(`${row?.state}: ${facts}`)
  }
  for (const purchase of purchases) {
    const { reference, kind } = purchase
    const found = auditPurchase(purchase, {
      reports: reports.get(reference) ?? [],
      completions: completions.get(reference) ?? [],
      runs: new Set(runs.get(reference)?.map(({ key }) => key)),
      tasks: tasks.get(reference) ?? [],
    })
    problems.push(...found.map((problem) => `${reference}, ${kind}: ${problem}`))
  }
  return problems
}

interface Row {
  reference: string
}
interface ReportRow extends Row {
  tx_hash: string
  state: string
  kind: string
}
interface CompletionRow extends Row {
  tx_hash: string
}
interface RunRow extends Row {
  key: string
}
interface TaskRow extends Row {
  key: string
  handler: string
  tx_hash: string
  state: string
}

interface Rows {
  reports: ReportRow[]
  completions: CompletionRow[]
  runs: Set<string>
  tasks: TaskRow[]
}

/** The number of handlers of each event that must have run. */
interface Expected {
  onPaid: number
  onFailed: number | undefined
  onMismatch: number
  onExtraPayment: number
}

function auditPurchase(purchase: Purchase, { reports, completions, runs, tasks }: Rows) {
  const problems: string[] = []
  const check = (isKept: boolean, problem: string): void => {
    if (!isKept) problems.push(problem)
  }
  check(completions.length === (isPayable(purchase) ? 1 : 0), `${completions.length} completions`)
  const paid = reports.filter(({ kind }) => kind === 'paid')
  check(paid.length === completions.length, `${paid.length} decisions paid`)
  const [completion] = completions
  check(paid[0]?.tx_hash === completion?.tx_hash, 'completed and decided by different transfers')
  for (const [event, wanted] of Object.entries(expectedOf(purchase))) {
    const ran = tasks.filter(({ key, handler }) => runs.has(key) && handler.startsWith(event))
    if (wanted !== undefined) check(ran.length === wanted, `${ran.length} keys of ${event}`)
    const isWinner = ({ tx_hash }: TaskRow): boolean => tx_hash === completion?.tx_hash
    if (event === 'onPaid') check(ran.every(isWinner), 'onPaid ran for another transfer')
    if (event === 'onExtraPayment') check(!ran.some(isWinner), 'the payment was reported as extra')
  }
  for (const { key, state } of tasks) {
    check(state === 'done', `${key} is ${state}`)
    check(runs.has(key), `${key} is done and never ran`)
  }
  check(tasks.length === runs.size, `${runs.size} keys ran, of ${tasks.length} tasks`)
  return problems
}

/** A failed transfer has an event only when it arrived before the payment. */
function expectedOf(purchase: Purchase): Expected {
  const { kind } = purchase
  return {
    onPaid: isPayable(purchase) ? 2 : 0,
    onFailed: kind === 'failed' ? 1 : kind === 'failed, then paid' ? undefined : 0,
    onMismatch: kind.startsWith('wrong') ? 1 : 0,
    onExtraPayment: kind === 'paid twice' ? 1 : 0,
  }
}

async function read<Found extends Row>(db: pg.Pool, text: string): Promise<Map<string, Found[]>> {
  const { rows } = await db.query<Found>(text)
  const byReference = new Map<string, Found[]>()
  for (const row of rows) {
    byReference.set(row.reference, [...(byReference.get(row.reference) ?? []), row])
  }
  return byReference
}
