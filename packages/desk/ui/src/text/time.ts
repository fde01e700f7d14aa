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
