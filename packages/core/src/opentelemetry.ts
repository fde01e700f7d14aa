export {
  openTelemetryInstrumentation,
  type Instrumentation,
  type OpenTelemetryOptions,
} from './opentelemetry/instrumentation.js'
