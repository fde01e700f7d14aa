/** @param beganMs as `performance.now()` told it. */
export function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1000
}
