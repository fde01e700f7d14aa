import assert from 'node:assert/strict'
import type {
  Decision,
  HandlerEvent,
  Inbox,
  NewReport,
  RegistrationResult,
  Report,
  ReportFilter,
  Task,
  DecisionOf,
} from '@tonplug/core'

/** The `name` of the Payments in most tests. */
export const NAME = 'default'
/** The policy that {@link register} pins, and that {@link claimReports} claims with. */
const POLICY = 'policy-1'
/** Lets a test run this long by the clock of the machine without a change of its result. */
export const MARGIN_MS = 60_000
/** Time until the sweep claims a new report. */
export const SWEEP_MS = 600_000
/** Length of the leases in most tests. */
export const LEASE_MS = 900_000
/** Longer than any other time in these tests. */
export const LONG_MS = 365 * 86_400_000
/** Concurrent calls in the tests of races. */
export const CALLS = 50
/** Ids that no inbox has returned. */
export const UNKNOWN_IDS = ['999999999', "no such id '", '']

/** Returns a report for `order-1`, which the sweep claims after {@link SWEEP_MS}. */
export function makeReport(changes: Partial<NewReport> = {}): NewReport {
  return {
    name: NAME,
    merchant: '',
    key: 'key-1',
    source: 'webhook',
    signedWith: 'secrets[0]',
    reference: 'order-1',
    txHash: 'c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f',
    rawBody: '{"event":"transfer.completed"}',
    payments: ['tx:c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f'],
    wasCompletedBefore: false,
    retryInMs: SWEEP_MS,
    ...changes,
  }
}

/** Returns the decision to complete an order. */
export function makePaid(
  changes: { reference?: string; txHash?: string } = {},
): DecisionOf<'paid'> {
  return {
    kind: 'paid',
    reference: 'order-1',
    txHash: 'c545e5d64ab501227e147f142fdc16b4aba7701ae439252858b95245a00f9e1f',
    expected: '10500000000',
    received: '10500000000',
    amountRule: 'equal',
    isLate: false,
    source: 'webhook',
    ...changes,
  }
}

/** Returns the decision that parks a report. */
export function makeUnmatched(): DecisionOf<'unknown_order'> {
  return { kind: 'unknown_order', reference: 'order-1', txHash: 'tx-1' }
}

/** Returns a final decision that is not `paid`. */
export function makeMismatch(): DecisionOf<'asset_mismatch'> {
  return {
    kind: 'asset_mismatch',
    reference: 'order-1',
    txHash: 'tx-1',
    expected: 'TON',
    received: 'USDT',
  }
}

/** Returns tasks of the handler `onPaid` with these keys. */
export function makeTasks(...keys: readonly string[]): Pick<Task, 'handler' | 'idempotencyKey'>[] {
  return keys.map((idempotencyKey) => ({ idempotencyKey, handler: 'onPaid' }))
}

/** Stores a report that must be new. */
export async function storeNew(inbox: Inbox, changes?: Partial<NewReport>): Promise<Report> {
  const report = await inbox.reports.store(makeReport(changes))
  assert.equal(report.state, 'undecided', 'the report is new')
  return report
}

/** Stores reports that must be new, with keys of their own. @returns their ids. */
export async function storeMany(
  inbox: Inbox,
  count: number,
  changes?: Partial<NewReport>,
): Promise<string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index++) {
    ids.push((await storeNew(inbox, { key: `key-${index}`, ...changes })).id)
  }
  return ids
}

/** A proposal to refund the transaction of {@link makeReport}. */
export function makeRefund(): DecisionOf<'refund'> {
  const money = { to: `0:${'ab'.repeat(32)}`, rawAmount: '1000', asset: 'TON' }
  const proposal = { attempt: 1, id: 'proposal-1', validUntil: 1_767_614_400 }
  return { kind: 'refund', reference: 'order-1', txHash: 'tx-1', ...proposal, ...money }
}

/** Fields of a report whose decision is not known when it is stored. */
export type UndecidedReport = Omit<Partial<NewReport>, 'decision'>

/** Stores a report and decides it, as `paid` unless another decision is given. */
export async function storeDecided(
  inbox: Inbox,
  {
    decision = makePaid(),
    tasks = [],
    ...changes
  }: UndecidedReport & { decision?: Decision; tasks?: ReturnType<typeof makeTasks> } = {},
): Promise<Report> {
  const report = await storeNew(inbox, changes)
  await inbox.reports.decide(report.id, { decision, tasks })
  return report
}

/** Stores a report and decides it as `paid` with tasks of these keys. */
export function decideWithTasks(inbox: Inbox, ...keys: readonly string[]): Promise<Report> {
  return storeDecided(inbox, { key: `key of ${keys.join()}`, tasks: makeTasks(...keys) })
}

/** Stores a report and parks it. */
export async function storeParked(
  inbox: Inbox,
  { retryInMs = SWEEP_MS, ...changes }: Partial<NewReport> = {},
): Promise<Report> {
  const report = await storeNew(inbox, changes)
  await park(inbox, report.id, retryInMs)
  return report
}

/** Parks a report. */
export async function park(inbox: Inbox, id: string, retryInMs: number): Promise<void> {
  await inbox.reports.decide(id, { decision: makeUnmatched(), retryInMs })
}

/** Stores a report with one task, which is dead. */
export async function storeDead(
  inbox: Inbox,
  idempotencyKey: string,
  {
    handler = 'onPaid',
    decision = makePaid(),
    ...changes
  }: UndecidedReport & { handler?: string; decision?: Decision } = {},
): Promise<Task> {
  const tasks = [{ idempotencyKey, handler }]
  const key = `key of ${idempotencyKey}`
  const { name } = await storeDecided(inbox, { key, decision, tasks, ...changes })
  const [task] = await claimTasks(inbox, { name, limits: { [handler]: 1 } })
  assert.ok(task, 'the task is due')
  assert.equal(await inbox.tasks.finish(task, { kind: 'dead', error: 'no' }), true)
  return task
}

/** Registers a process. The policy and the subscriptions last, unless a test says otherwise. */
export function register(
  inbox: Inbox,
  {
    name = NAME,
    policy = POLICY,
    policyTtlMs = LONG_MS,
    subscriptionTtlMs = LONG_MS,
    handlers = {},
    isWatching,
    nextDue,
  }: {
    name?: string
    policy?: string
    policyTtlMs?: number
    subscriptionTtlMs?: number
    nextDue?: { handlers?: readonly string[] }
    isWatching?: boolean
    /** The event of each handler, by the handler's name. */
    handlers?: Record<string, HandlerEvent>
  } = {},
): Promise<RegistrationResult> {
  return inbox.processes.register({
    name,
    policy,
    policyTtlMs,
    subscriptionTtlMs,
    handlers: Object.entries(handlers).map(([handler, event]) => ({ handler, event })),
    isWatching,
    ...(nextDue !== undefined && { nextDue }),
  })
}

/** Claims every due report, after it has registered the policy. */
export async function claimReports(
  inbox: Inbox,
  {
    name = NAME,
    retryInMs = LEASE_MS,
    limit = 100,
    ...key
  }: {
    name?: string
    retryInMs?: number
    limit?: number
    reference?: string
    merchant?: string
  } = {},
): Promise<Report[]> {
  await register(inbox, { name })
  const { reference, merchant = '' } = key
  return inbox.reports.claim({
    name,
    policy: POLICY,
    retryInMs,
    limit,
    ...(reference !== undefined && { key: { reference, merchant } }),
  })
}

/** Claims every due task of `onPaid`, or of the handlers in `limits`. */
export function claimTasks(
  inbox: Inbox,
  {
    name = NAME,
    limits = { onPaid: 100 },
    leaseMs = LEASE_MS,
  }: { name?: string; limits?: Record<string, number>; leaseMs?: number } = {},
): Promise<Task[]> {
  return inbox.tasks.claim({ name, limits, leaseMs })
}

/** Claims the one task of `onPaid` that is due. */
export async function claimOne(inbox: Inbox, query?: { leaseMs?: number }): Promise<Task> {
  const [task, ...others] = await claimTasks(inbox, query)
  assert.ok(task !== undefined && others.length === 0, 'exactly one task is due')
  return task
}

/** Claims the two tasks of `onPaid` that are due. */
export async function claimTwo(inbox: Inbox): Promise<[Task, Task]> {
  const [first, second, ...others] = await claimTasks(inbox)
  assert.ok(first !== undefined && second !== undefined && others.length === 0, 'two tasks are due')
  return [first, second]
}

/** Decides reports of {@link NAME} again that match. */
export function redecide(inbox: Inbox, filter: ReportFilter = {}): Promise<number> {
  return inbox.reports.redecide({ name: NAME, ...filter })
}

/** Returns a stored report, which must exist. */
export async function findReport(inbox: Inbox, id: string): Promise<Report> {
  const report = await inbox.reports.find(id)
  assert.ok(report !== null, 'the report is stored')
  return report
}

/** Compares reports as JSON, without the time, which `advance` of a harness may change. */
export function assertReports(actual: readonly Report[], expected: readonly Report[]): void {
  assert.deepEqual(toJson(actual.map(withoutTime)), toJson(expected.map(withoutTime)))
}

/** Compares decisions as JSON. */
export function assertDecision(actual: Decision | undefined, expected: Decision): void {
  assert.deepEqual(toJson(actual), toJson(expected))
}

/** Asserts a time that has become up to {@link MARGIN_MS} shorter while the test ran. */
export function assertTimeLeft(actual: number | undefined, expectedMs: number): void {
  assert.ok(actual !== undefined, `expected ${expectedMs} ms; received undefined`)
  const isExpected = actual <= expectedMs && actual > expectedMs - MARGIN_MS
  assert.ok(isExpected, `expected ${expectedMs} ms; received ${actual} ms`)
}

/** Asserts an age that has become up to {@link MARGIN_MS} longer while the test ran. */
export function assertAge(actual: number | undefined, expectedMs: number): void {
  assert.ok(actual !== undefined, `expected ${expectedMs} ms; received undefined`)
  const isExpected = actual >= expectedMs && actual < expectedMs + MARGIN_MS
  assert.ok(isExpected, `expected ${expectedMs} ms; received ${actual} ms`)
}

/** Returns the ids of reports or tasks, sorted. */
export function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id).sort()
}

/** Returns the idempotency keys of tasks, sorted. */
export function keysOf(tasks: readonly Pick<Task, 'handler' | 'idempotencyKey'>[]): string[] {
  return tasks.map(({ idempotencyKey }) => idempotencyKey).sort()
}

/** Returns the handlers of tasks, sorted. */
export function handlersOf(tasks: readonly Pick<Task, 'handler' | 'idempotencyKey'>[]): string[] {
  return tasks.map(({ handler }) => handler).sort()
}

function withoutTime({ receivedAtMs: _receivedAtMs, ...report }: Report): unknown {
  return report
}

function toJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
