import { UsageError } from './failure.js'

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const DAY_MS = 86_400_000

/**
 * Returns the start of the first day and the end of the last day in a time zone.
 * @throws {UsageError} for an invalid day or zone, and for a first day after the last one.
 */
export function dayRange({
  from,
  to,
  zone = 'UTC',
}: {
  from?: string | undefined
  to?: string | undefined
  zone?: string | undefined
}): { from?: Date | undefined; before?: Date | undefined } {
  const format = formatOf(zone)
  const range = {
    from: from === undefined ? undefined : startOfDay('--from', from, 0, format),
    before: to === undefined ? undefined : startOfDay('--to', to, 1, format),
  }
  if (range.from !== undefined && range.before !== undefined && range.from >= range.before) {
    throw new UsageError(`--from must not be after --to; received ${from} and ${to}`)
  }
  return range
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const parts = { hourCycle: 'h23', dateStyle: 'short', timeStyle: 'medium' } as const
  try {
    // The Swedish format is ISO 8601 with a space.
    return new Intl.DateTimeFormat('sv-SE', { timeZone, ...parts })
  } catch {
    throw new UsageError(
      `--zone must be a time zone, for example Europe/Berlin; received ${timeZone}`,
    )
  }
}

function startOfDay(option: string, text: string, days: number, format: Intl.DateTimeFormat): Date {
  const day = Date.parse(`${text}T00:00:00Z`)
  // A day that does not exist is parsed as a later one.
  if (!DAY.test(text) || Number.isNaN(day) || !new Date(day).toISOString().startsWith(text)) {
    throw new UsageError(`${option} must be a day, for example 2026-01-31; received ${text}`)
  }
  const wanted = day + days * DAY_MS
  // The second pass has the offset of the day's start, where the zone changes its offset on that day.
  const first = wanted - offsetMs(wanted, format)
  return new Date(wanted - offsetMs(first, format))
}

/** Returns how far the clocks of a zone are ahead of UTC. */
function offsetMs(atMs: number, format: Intl.DateTimeFormat): number {
  return Date.parse(`${format.format(atMs).replace(' ', 'T')}Z`) - atMs
}
