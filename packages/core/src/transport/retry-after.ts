/**
 * How long an answer asks to wait, from its header `Retry-After` in seconds or as a date.
 * A date is compared with the answer's own `Date`, since clocks differ, and only without one with ours.
 * @returns milliseconds, 0 for a moment that has passed, `undefined` when the answer does not say.
 */
export function readRetryAfter(
  headers: { get(name: string): string | null },
  nowMs: number,
): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (value === undefined || value === '') return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const untilMs = Date.parse(value)
  const sentMs = Date.parse(headers.get('date') ?? '')
  const waitMs = untilMs - (Number.isNaN(sentMs) ? nowMs : sentMs)
  return Number.isNaN(waitMs) ? undefined : Math.max(0, Math.ceil(waitMs))
}
