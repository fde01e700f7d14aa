import { UsageError } from './failure.js'

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const AGE = /^(\d{1,6})([smhd])$/
const DATE = /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Parses `--since` to milliseconds since the Unix epoch: an age, for example `30m`, `2h` or `7d`, or an ISO 8601
 * date.
 * @throws {UsageError} for any other value.
 */
export function parseSince(text: string, nowMs: number): number {
  const [, count, unit] = AGE.exec(text) ?? []
  // The pattern allows no other letters.
  if (unit !== undefined) return nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]
  const dateMs = DATE.test(text) ? Date.parse(text) : NaN
  if (!Number.isNaN(dateMs)) return dateMs
  throw new UsageError(
    `--since: ${JSON.stringify(text)} is neither an age such as 30m, 2h or 7d, nor a date such as 2026-01-31 or 2026-01-31T12:00:00Z`,
  )
}
