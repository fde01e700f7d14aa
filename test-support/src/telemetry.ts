import type { Server } from 'node:http'
import { context, SpanKind, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type Histogram,
} from '@opentelemetry/sdk-metrics'
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { onTestFinished } from 'vitest'

/** One value of a metric. */
interface Point {
  attributes: Record<string, unknown>
  /** The value; for a histogram the number of records. */
  value: number
  /** The sum of a histogram. */
  sum: number | undefined
}

/** The OpenTelemetry SDK with exporters in memory. */
export interface Telemetry {
  /** Options of `openTelemetryInstrumentation`. */
  providers: { meterProvider: MeterProvider; tracerProvider: BasicTracerProvider }
  /** Ended spans, of one name if given. */
  spans(name?: string): ReadableSpan[]
  /** The one ended span of a name. */
  span(name: string): ReadableSpan
  /** Collects, and returns the values of each metric. */
  collect(): Promise<Record<string, Point[]>>
  /** The attributes of each value of a metric. */
  attributesOf(metric: string): Promise<object[]>
  /** Handles each request inside a span, as OpenTelemetry's own instrumentation of `node:http` does. */
  traceRequests(server: Server): void
}

/** Starts an SDK, with a context manager, for as long as the test runs. */
export function startTelemetry(...processors: SpanProcessor[]): Telemetry {
  const spanExporter = new InMemorySpanExporter()
  const spanProcessors = [new SimpleSpanProcessor(spanExporter), ...processors]
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
  const telemetry: Telemetry = {
    providers: { meterProvider, tracerProvider },
    spans: (name) =>
      spanExporter.getFinishedSpans().filter((span) => name === undefined || span.name === name),
    span(name) {
      const [only, ...more] = telemetry.spans(name)
      if (only === undefined || more.length > 0) {
        throw new Error(`expected one span ${name}; received ${telemetry.spans(name).length}`)
      }
      return only
    },
    async collect() {
      exporter.reset()
      await reader.forceFlush()
      const metrics = exporter
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
      return Object.fromEntries(
        metrics.map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => toPoint(attributes, value)),
        ]),
      )
    },
    async attributesOf(metric) {
      const points = (await telemetry.collect())[metric] ?? []
      return points.map(({ attributes }) => attributes)
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
  return telemetry
}

function toPoint(attributes: Record<string, unknown>, value: number | object): Point {
  if (typeof value === 'number') return { attributes, value, sum: undefined }
  // The instruments of tonplug make no other kind.
  const { count, sum } = value as Histogram
  return { attributes, value: count, sum }
}
