/** Returns the seconds since `beganMs`, a result of `performance.now()`. */
export function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1000
}
