const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** The time zone in which times are shown, for example `Europe/Berlin`. */
export const TIME_ZONE = DATE_TIME.resolvedOptions().timeZone

/** Formats hours and minutes. */
export function formatClock(atMs: number): string {
  return CLOCK.format(new Date(atMs))
}

/** Formats a day with hours and minutes. */
export function formatTime(atMs: number): string {
  return DATE_TIME.format(new Date(atMs))
}

/** Returns the starts of this day and of this month in the zone of the reader, ISO 8601. */
export function startsOfNow(now = new Date()): { today: string; month: string } {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  return {
    today: new Date(year, month, now.getDate()).toISOString(),
    month: new Date(year, month, 1).toISOString(),
  }
}

/** Returns the start of a day in the zone of the reader, some days later, ISO 8601. @param day `YYYY-MM-DD` */
export function startOfDay(day: string, daysLater: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  return new Date(year, month - 1, date + daysLater).toISOString()
}
