export {
  openTelemetryInstrumentation,
  type Instrumentation,
  type OpenTelemetryOptions,
} from './opentelemetry/instrumentation.js'
export type { PaymentsInstrumentation } from './payments/engine/instrumentation.js'
export type { TransportInstrumentation } from './toncenter/transport/hooks.js'
