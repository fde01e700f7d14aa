import type { PaymentsHealth, WatcherHealth } from '@tonplug/core'
import type { DeskHealth, HealthCheck, HealthSeries } from '../api.js'
import type { DeskOptions } from '../options.js'

const SAMPLE_MS = 15_000
/** One hour. */
const MAX_POINTS = 240
/** A watcher reads at least once a minute. */
const MAX_LAG_MS = 300_000

/** The counts of one sample. */
type Values = Partial<Record<HealthSeries['name'], number>>

/** The health now, and over time. */
export interface HealthMonitor {
  read(): Promise<DeskHealth>
}

/**
 * Counts the open work every 15 seconds, without keeping the process alive, until Payments is closed. The numbers are
 * of this process; the inbox is the same for all.
 */
export function createHealthMonitor({
  payments,
  watcher,
}: Pick<DeskOptions, 'payments' | 'watcher'>): HealthMonitor {
  const { clock } = payments.internals
  const samples: { timeMs: number; values: Values }[] = []

  const sample = async (): Promise<void> => {
    try {
      samples.push({ timeMs: clock.nowMs(), values: await measure({ payments, watcher }) })
      if (samples.length > MAX_POINTS) samples.shift()
    } catch {
      // A store that fails leaves a gap; the health shows the failure.
    } finally {
      schedule()
    }
  }
  const schedule = (): void => {
    if (payments.state() === 'closed') return
    clock.setTimer(() => void sample(), SAMPLE_MS, { isBackground: true })
  }
  void sample()

  return {
    async read() {
      const [health, watched] = await Promise.all([payments.health(), watcher?.health()])
      const checks = [...paymentChecks(health), ...watcherChecks(watched)]
      return {
        status: worst(checks),
        payments: health,
        ...(watched !== undefined && { watcher: watched }),
        checks,
        series: toSeries(samples),
      }
    },
  }
}

async function measure({
  payments: { internals, name },
  watcher,
}: Pick<DeskOptions, 'payments' | 'watcher'>): Promise<Values> {
  const [stats, watched] = await Promise.all([internals.inbox.stats({ name }), watcher?.health()])
  const lagMs = watched?.cursorLagMs
  return {
    'waiting payments': stats.undecided + stats.parked,
    'waiting tasks': stats.open,
    'failed tasks': stats.dead,
    ...(lagMs !== undefined && { 'seconds behind the chain': Math.round(lagMs / 1000) }),
  }
}

const SERIES = [
  'waiting payments',
  'waiting tasks',
  'failed tasks',
  'seconds behind the chain',
] satisfies HealthSeries['name'][]

function toSeries(samples: readonly { timeMs: number; values: Values }[]): HealthSeries[] {
  return SERIES.map((name) => ({
    name,
    points: samples.flatMap(({ timeMs, values }): HealthSeries['points'] => {
      const value = values[name]
      return value === undefined ? [] : [[timeMs, value]]
    }),
  }))
}

function paymentChecks(health: PaymentsHealth): HealthCheck[] {
  const { status, message, dead = 0, unreadable = 0 } = health
  return [
    { name: 'payments', status, detail: message },
    {
      name: 'tasks',
      status: dead > 0 ? 'degraded' : 'up',
      detail: dead > 0 ? `failed for good: ${dead}` : undefined,
    },
    {
      name: 'messages',
      status: unreadable > 0 ? 'degraded' : 'up',
      detail: unreadable > 0 ? `not readable: ${unreadable}` : undefined,
    },
  ]
}

function watcherChecks(health: WatcherHealth | undefined): HealthCheck[] {
  if (health === undefined) return []
  const { status, message, problem, cursorLagMs = 0 } = health
  const isBehind = cursorLagMs > MAX_LAG_MS
  const late = `the chain is known up to ${Math.round(cursorLagMs / 1000)} s ago`
  const isFailing = problem !== undefined || isBehind
  return [
    {
      name: 'watcher',
      status: status === 'up' && isFailing ? 'degraded' : status,
      detail: message ?? problem ?? (isBehind ? late : undefined),
    },
  ]
}

function worst(checks: readonly HealthCheck[]): DeskHealth['status'] {
  const found = (['down', 'degraded'] as const).find((status) =>
    checks.some((check) => check.status === status),
  )
  return found ?? 'up'
}
