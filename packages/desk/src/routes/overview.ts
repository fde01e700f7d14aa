import { DECISION_KINDS, DECISIONS } from '@tonplug/core/internal'
import type { PaymentsHealth, WatcherHealth } from '@tonplug/core'
import type { InboxSums, ListedTransfer, Operator, TransferQuery } from '@tonplug/core/operator'
import type { Overview, PeriodSums, TransferRow, WorkCount } from '../api.js'
import type { DeskOptions } from '../options.js'
import { DeskRequestError } from '../responses.js'
import { coinsOf } from '../words/coins.js'
import type { Vocabulary } from '../words/sentences.js'
import type { RecentSums } from './recent-sums.js'
import { namedOrders, type NamedOrderReader } from './named-orders.js'
import { toRow } from './transfers.js'

/** Transfers that are read of each kind of work. */
const MAX_READ = 1000
const MAX_SHOWN = 10
/** Tasks run within seconds, unless they are retried. */
const MAX_WAIT_MS = 900_000
/** A watcher reads at least once a minute. */
const MAX_LAG_MS = 300_000
const DAY_MS = 86_400_000
/** A month, and the difference between two zones. */
const MAX_PERIOD_MS = 33 * DAY_MS

const IDLE_ACTIONS: readonly string[] = ['none', 'wait']
const WORK: readonly TransferQuery[] = [
  { decision: DECISION_KINDS.filter((kind) => !IDLE_ACTIONS.includes(DECISIONS[kind].action)) },
  { state: 'unreadable' },
  { handlers: 'dead' },
]

/** Sources of the overview. */
export interface OverviewSources extends Pick<DeskOptions, 'payments' | 'watcher'> {
  operator: Pick<Operator, 'list'>
  sums: RecentSums
  words: Vocabulary
}

/**
 * Returns the work of operators, the sums of today and of the month, and the state of Payments.
 * @param parameters `today` and `month`: the starts of both in the zone of the operator, ISO 8601
 * @throws {DeskRequestError} for an invalid parameter.
 */
export async function readOverview(
  { operator, sums, words, payments, watcher }: OverviewSources,
  parameters: URLSearchParams,
): Promise<Overview> {
  const now = new Date(payments.internals.clock.nowMs())
  const [today, month] = [startOf(parameters, 'today', now), startOf(parameters, 'month', now)]
  const [work, sumsOfDay, sumsOfMonth, health, watched] = await Promise.all([
    readWork({ operator, orders: payments.internals.orders, words }),
    sums(today),
    sums(month),
    payments.health(),
    watcher?.health(),
  ])
  return {
    ...work,
    today: toSums(sumsOfDay, words),
    month: toSums(sumsOfMonth, words),
    problems: [...paymentProblems(health), ...watcherProblems(watched)],
    ...(watched !== undefined && { chain: toChain(watched) }),
  }
}

function startOf(parameters: URLSearchParams, name: string, now: Date): Date {
  const date = new Date(parameters.get(name) ?? '')
  const ageMs = now.getTime() - date.getTime()
  if (ageMs <= MAX_PERIOD_MS) return date
  throw new DeskRequestError(400, 'INVALID', `${name} must be a time of this month in ISO 8601.`)
}

async function readWork({
  operator,
  orders,
  words,
}: Pick<OverviewSources, 'operator' | 'words'> & {
  orders: NamedOrderReader
}): Promise<Pick<Overview, 'work' | 'counts' | 'isComplete'>> {
  const lists = await Promise.all(WORK.map((query) => operator.list({ ...query, limit: MAX_READ })))
  const found = new Map(lists.flat().map((listed) => [listed.reportId, listed]))
  const named = await namedOrders(orders, [...found.values()])
  const rows = [...found.values()]
    .map((listed: ListedTransfer) => toRow(listed, words, named.get(listed.reportId)))
    .filter(({ situation }) => situation.todo !== undefined)
    .toSorted((one, other) => other.receivedAtMs - one.receivedAtMs)
  return {
    work: rows.slice(0, MAX_SHOWN),
    counts: countsOf(rows),
    isComplete: lists.every((list) => list.length < MAX_READ),
  }
}

function countsOf(rows: readonly TransferRow[]): WorkCount[] {
  const counts = new Map<string, WorkCount>()
  for (const { situation } of rows) {
    const { name, tone } = situation
    const count = (counts.get(name)?.count ?? 0) + 1
    counts.set(name, { name, tone, count })
  }
  return [...counts.values()].toSorted((one, other) => other.count - one.count)
}

function toSums({ credits, prices, unpriced }: InboxSums, { coins }: Vocabulary): PeriodSums {
  return {
    coins: credits.map(({ asset, rawAmount, count }) => ({
      amount: coinsOf(`${rawAmount}`, coins.of(asset)),
      count,
    })),
    prices: prices.map(({ currency, price, count }) => ({
      amount: `${inCents(price)} ${currency}`,
      count,
    })),
    unpriced,
  }
}

/** Returns a decimal number with at least two digits behind the point. */
function inCents(price: string): string {
  const [whole = '0', fraction = ''] = price.split('.')
  return `${whole}.${fraction.padEnd(2, '0')}`
}

function paymentProblems(health: PaymentsHealth): string[] {
  const { status, oldestWaitMs = 0, oldestQueuedMs = 0 } = health
  const problems = []
  if (status === 'down') problems.push('Payments are not processed.')
  if (status === 'degraded') {
    problems.push('Payments are processed with restrictions.')
  }
  if (oldestWaitMs > MAX_WAIT_MS) {
    problems.push(`A task of the shop has waited for ${durationText(oldestWaitMs)}.`)
  }
  if (oldestQueuedMs > MAX_WAIT_MS) {
    problems.push(`A task of the shop has been in the queue for ${durationText(oldestQueuedMs)}.`)
  }
  return problems
}

function watcherProblems(health: WatcherHealth | undefined): string[] {
  const { status = 'up', lastCompleteAgeMs = 0 } = health ?? {}
  const problems = []
  if (status !== 'up') problems.push('The chain is not read normally.')
  if (lastCompleteAgeMs > MAX_LAG_MS) {
    problems.push(`The chain was read ${durationText(lastCompleteAgeMs)} ago for the last time.`)
  }
  return problems
}

function toChain(health: WatcherHealth): NonNullable<Overview['chain']> {
  const { lastCompleteAgeMs, cursorLagMs } = health
  return {
    lastLook: lastCompleteAgeMs === undefined ? undefined : durationText(lastCompleteAgeMs),
    newestBlock: cursorLagMs === undefined ? undefined : durationText(cursorLagMs),
  }
}

const UNITS = [
  ['day', DAY_MS],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** Returns a duration in its largest unit, for example `5 minutes`. */
function durationText(ms: number): string {
  const [name, unitMs] = UNITS.find(([, size]) => ms >= size) ?? (['second', 1000] as const)
  const count = Math.floor(ms / unitMs)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
