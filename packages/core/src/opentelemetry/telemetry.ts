import type { Tracer } from '@opentelemetry/api'
import type { Meters } from './meters.js'

/** The instruments and the tracer of one instrumentation. */
export interface Telemetry {
  meters: Meters
  tracer: () => Tracer
}
