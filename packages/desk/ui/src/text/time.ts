const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' })
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

/** Formats hours and minutes. */
export function formatClock(atMs: number): string {
  return CLOCK.format(new Date(atMs))
}

/** Formats a time of today without its date. */
export function formatTime(atMs: number): string {
  const at = new Date(atMs)
  const isToday = at.toDateString() === new Date().toDateString()
  return (isToday ? TIME : DATE_TIME).format(at)
}
