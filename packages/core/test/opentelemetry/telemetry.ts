import { context } from '@opentelemetry/api'
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
  /** Of a histogram, how often something was recorded. */
  value: number
  /** Of a histogram. */
  sum: number | undefined
}

/** The SDK with exporters that keep all in memory. */
export interface TestSdk {
  /** The options of the instrumentation. */
  providers: { meterProvider: MeterProvider; tracerProvider: BasicTracerProvider }
  /** Ended spans, of one name if given. */
  spans(name?: string): ReadableSpan[]
  /** Collects, and answers the values of each metric. */
  collect(): Promise<Record<string, Point[]>>
}

/** Starts an SDK, with a context manager, for as long as the test runs. */
export function startSdk(...processors: SpanProcessor[]): TestSdk {
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
  return {
    providers: { meterProvider, tracerProvider },
    spans: (name) =>
      spanExporter.getFinishedSpans().filter((span) => name === undefined || span.name === name),
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
  }
}

function toPoint(attributes: Record<string, unknown>, value: number | object): Point {
  if (typeof value === 'number') return { attributes, value, sum: undefined }
  // The instruments of tonplug make no other kind.
  const { count, sum } = value as Histogram
  return { attributes, value: count, sum }
}
