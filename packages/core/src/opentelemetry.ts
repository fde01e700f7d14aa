export {
  openTelemetryInstrumentation,
  type OpenTelemetryOptions,
} from './opentelemetry/instrumentation.js'
