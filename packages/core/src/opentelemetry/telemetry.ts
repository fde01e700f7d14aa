import type { Tracer } from '@opentelemetry/api'
import type { Meters } from './meters.js'

/** The instruments and the tracer of one instrumentation. */
export interface Telemetry {
  meters: Meters
  tracer: () => Tracer
}

/** Returns the seconds since `beganMs`, a result of `performance.now()`. */
export function secondsSince(beganMs: number): number {
  return (performance.now() - beganMs) / 1000
}
