import type { Server } from 'node:http'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

/** The SDK of OpenTelemetry with exporters that keep all in memory. */
export interface Telemetry {
  /** The options of the instrumentation. */
  providers: { meterProvider: MeterProvider; tracerProvider: BasicTracerProvider }
  /** The one ended span of this name. */
  span(name: string): ReadableSpan
  /** The attributes of each value of a metric. */
  attributesOf(metric: string): Promise<object[]>
  /** Handles each request inside a span, as OpenTelemetry's own instrumentation of `node:http` does. */
  traceRequests(server: Server): void
}

/** Starts an SDK, with a context manager, for as long as the test runs. */
export function startTelemetry(): Telemetry {
  const spans = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(spans)]
  const tracerProvider = new BasicTracerProvider({ spanProcessors })
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const exportIntervalMillis = 2 ** 31 - 1
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis })
  const meterProvider = new MeterProvider({ readers: [reader] })
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  onTestFinished(async () => {
    context.disable()
    await Promise.all([meterProvider.shutdown(), tracerProvider.shutdown()])
  })
  return {
    providers: { meterProvider, tracerProvider },
    span(name) {
      const named = spans.getFinishedSpans().filter((span) => span.name === name)
      const [only, ...more] = named
      if (only === undefined || more.length > 0) throw new Error(`${named.length} spans ${name}`)
      return only
    },
    async attributesOf(name) {
      exporter.reset()
      await reader.forceFlush()
      return exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes))
    },
    traceRequests(server) {
      const emit = server.emit.bind(server) as (event: string, ...args: unknown[]) => boolean
      const tracer = tracerProvider.getTracer('node:http')
      server.emit = (event: string, ...args: unknown[]): boolean => {
        if (event !== 'request') return emit(event, ...args)
        const span = tracer.startSpan('request', { kind: SpanKind.SERVER })
        const inside = trace.setSpan(context.active(), span)
        try {
          return context.with(inside, () => emit(event, ...args))
        } finally {
          span.end()
        }
      }
    },
  }
}
