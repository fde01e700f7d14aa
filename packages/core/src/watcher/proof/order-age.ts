/** Difference between the clocks of the shop and the chain that is tolerated. */
const CLOCK_TOLERANCE_MS = 60_000

/**
 * Returns whether a payment was credited before its order was created. An order without a creation time has no older
 * payments.
 */
export function isOlder({ utime, createdMs }: { utime: number; createdMs: number | undefined }) {
  // The chain counts whole seconds.
  return createdMs !== undefined && utime * 1000 + 999 + CLOCK_TOLERANCE_MS < createdMs
}

/** Returns milliseconds since the Unix epoch; `undefined` for a missing or invalid date. */
export function timeOf(date: Date | null | undefined): number | undefined {
  const ms = date?.getTime()
  return ms === undefined || Number.isNaN(ms) ? undefined : ms
}
