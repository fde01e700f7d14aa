import { z } from 'zod'
import { trace, type MeterProvider, type TracerProvider } from '@opentelemetry/api'
import type { PaymentsInstrumentation } from '../payments/engine/instrumentation.js'
import type { TransportInstrumentation } from '../toncenter/transport/hooks.js'
import { clientInstrumentation } from './client-instrumentation.js'
import { parseOptions, type OptionSchemas } from '../shared/options.js'
import { createMeters } from './meters.js'
import { paymentsInstrumentation } from './payments-instrumentation.js'
import { SCOPE_NAME, SCOPE_VERSION } from './scope.js'
import type { Telemetry } from './telemetry.js'

/** Observes Payments and transports; one instance may serve any number of both. */
export interface Instrumentation extends PaymentsInstrumentation, TransportInstrumentation {}

/** Options of {@link openTelemetryInstrumentation}. */
export interface OpenTelemetryOptions {
  /** @default the provider registered with `@opentelemetry/api` */
  meterProvider?: MeterProvider | undefined
  /** @default the provider registered with `@opentelemetry/api` */
  tracerProvider?: TracerProvider | undefined
}

const SCHEMA = z.strictObject({
  meterProvider: z.custom<MeterProvider>().optional(),
  tracerProvider: z.custom<TracerProvider>().optional(),
} satisfies OptionSchemas<OpenTelemetryOptions>)

/**
 * Creates metrics and spans of Payments and of clients. Use one instance for all of them. Without an SDK it does nothing;
 * start the SDK first. Errors of an SDK or an exporter never affect a response or a call. Names and attributes are listed in
 * the guide "Observability"; no metric contains a reference, a hash or an address.
 * @example
 * ```ts
 * import { createPayments, memoryOrderRepository } from '@tonplug/core'
 * import { createTransport } from '@tonplug/core/toncenter'
 * import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
 *
 * const instrumentation = openTelemetryInstrumentation()
 * const orders = memoryOrderRepository()
 * const payments = createPayments({ orders, instrumentation })
 * const transport = createTransport({ instrumentation })
 * ```
 */
export function openTelemetryInstrumentation(options: OpenTelemetryOptions = {}): Instrumentation {
  const { meterProvider, tracerProvider = trace } = parseOptions(SCHEMA, options)
  const telemetry: Telemetry = {
    meters: createMeters(meterProvider),
    tracer: () => tracerProvider.getTracer(SCOPE_NAME, SCOPE_VERSION),
  }
  return { ...paymentsInstrumentation(telemetry), ...clientInstrumentation(telemetry) }
}
