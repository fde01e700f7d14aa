import { trace, type MeterProvider, type Tracer, type TracerProvider } from '@opentelemetry/api'
import type { Instrumentation } from '../instrumentation.js'
import { clientInstrumentation } from './client-instrumentation.js'
import { checkOptionNames } from '../transport/option-names.js'
import { createMeters, type Meters } from './meters.js'
import { receiverInstrumentation } from './receiver-instrumentation.js'
import { SCOPE_NAME, SCOPE_VERSION } from './scope.js'

/** Where metrics and spans go. */
export interface OpenTelemetryOptions {
  /** @default the one that is registered with `@opentelemetry/api` */
  meterProvider?: MeterProvider | undefined
  /** @default the one that is registered with `@opentelemetry/api` */
  tracerProvider?: TracerProvider | undefined
}

/** What metrics and spans are made with. */
export interface Telemetry {
  meters: Meters
  tracer: () => Tracer
}

/**
 * Metrics and spans of receivers and clients. Give the same one to all of them. Without an SDK it does nothing; start
 * the SDK first, so that nothing is missed. What an SDK or an exporter throws changes no answer and no call.
 * Names and attributes are in the guide "Observability"; no metric has a reference, a hash or an address.
 * @example
 * ```ts
 * import { createTransport, createWebhookReceiver, memoryOrderRepository } from '@tonplug/core'
 * import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
 *
 * const instrumentation = openTelemetryInstrumentation()
 * const orders = memoryOrderRepository()
 * const receiver = createWebhookReceiver({ secrets: 'whsec_…', orders, instrumentation })
 * const transport = createTransport({ instrumentation })
 * ```
 */
export function openTelemetryInstrumentation(options: OpenTelemetryOptions = {}): Instrumentation {
  checkOptionNames(options, ['meterProvider', 'tracerProvider'])
  const { meterProvider, tracerProvider = trace } = options
  const telemetry: Telemetry = {
    meters: createMeters(meterProvider),
    tracer: () => tracerProvider.getTracer(SCOPE_NAME, SCOPE_VERSION),
  }
  return { ...receiverInstrumentation(telemetry), ...clientInstrumentation(telemetry) }
}
