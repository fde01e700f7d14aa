import { readFileSync } from 'node:fs'
import {
  context,
  metrics,
  trace,
  type ContextManager,
  type MeterProvider,
  type TracerProvider,
} from '@opentelemetry/api'
import {
  AggregationTemporality,
  MeterProvider as SdkMeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { isTonplugError, memoryInbox } from '@tonplug/core'
import type { Instrumentation } from '@tonplug/core/opentelemetry'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { transferCompleted } from '@tonplug/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SCOPE_NAME, SCOPE_VERSION } from '../../src/opentelemetry/scope.js'
import { openShop, order } from '../payments/shop.js'
import { createLine, readCall } from '../toncenter/transport/calls.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { refuse, succeed } from '@tonplug/test-support/responses'
import { startTelemetry } from '@tonplug/test-support/telemetry'

function fail(): never {
  throw new Error('telemetry is broken')
}

/** Returns an object that throws on any access. */
function broken<T extends object>(): T {
  return new Proxy({}, { get: fail }) as T
}

/** Returns the results of a payment, a forgery, a retried call and a rejected call. */
async function run(instrumentation: Instrumentation) {
  const shop = openShop([order()], { instrumentation })
  const paid = await shop.send(transferCompleted())
  const forged = await shop.send(transferCompleted(), 'whsec_of_somebody_else')
  await shop.settle()
  const server = await startScriptedApi(refuse(503, 'later'), succeed(1), refuse(404, 'nothing'))
  const { transport } = createLine({ baseUrl: server.baseUrl, instrumentation })
  const { meta } = await transport.request(readCall())
  const refused: unknown = await transport.request(readCall()).catch((error: unknown) => error)
  return {
    statuses: [paid.status, forged.status],
    shipped: shop.shipped,
    orders: shop.orders.all().map(({ status }) => status),
    attempts: meta.attempts,
    refused: isTonplugError(refused) && refused.code,
    requests: server.requests.length,
  }
}

const UNHARMED = {
  statuses: [200, 401],
  shipped: ['order-1'],
  orders: ['completed'],
  attempts: 2,
  refused: 'ERR_TONPLUG_HTTP_STATUS',
  requests: 3,
}

describe('broken telemetry', () => {
  it('changes no response and no call when providers throw', async () => {
    expect(
      await run(
        openTelemetryInstrumentation({
          meterProvider: broken<MeterProvider>(),
          tracerProvider: broken<TracerProvider>(),
        }),
      ),
    ).toEqual(UNHARMED)
  })

  it('changes no response and no call when meters and tracers throw', async () => {
    expect(
      await run(
        openTelemetryInstrumentation({
          meterProvider: { getMeter: () => broken() },
          tracerProvider: { getTracer: () => broken() },
        }),
      ),
    ).toEqual(UNHARMED)
  })

  it.each(['onStart', 'onEnd'] as const)(
    'changes no response and no call when a span processor throws in %s',
    async (moment) => {
      const nothing = { onStart: () => undefined, onEnd: () => undefined }
      const idle = { forceFlush: () => Promise.resolve(), shutdown: () => Promise.resolve() }
      const sdk = startTelemetry({ ...nothing, ...idle, [moment]: fail })
      expect(await run(openTelemetryInstrumentation(sdk.providers))).toEqual(UNHARMED)
      if (moment === 'onStart') return
      const { 'tonplug.webhook.answer.duration': answers } = await sdk.collect()
      expect(answers).toHaveLength(2)
    },
  )

  it('changes no response and no call when exporters throw', async () => {
    const idle = { forceFlush: () => Promise.resolve(), shutdown: () => Promise.resolve() }
    let exports = 0
    const failing = (): never => {
      exports++
      fail()
    }
    const tracerProvider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor({ export: failing, ...idle })],
    })
    const selectAggregationTemporality = () => AggregationTemporality.CUMULATIVE
    const reader = new PeriodicExportingMetricReader({
      exporter: { export: failing, selectAggregationTemporality, ...idle },
      exportIntervalMillis: 2 ** 31 - 1,
    })
    const meterProvider = new SdkMeterProvider({ readers: [reader] })
    onTestFinished(async () => {
      await reader.shutdown().catch(() => undefined)
    })
    expect(await run(openTelemetryInstrumentation({ meterProvider, tracerProvider }))).toEqual(
      UNHARMED,
    )
    const spansExported = exports
    expect(spansExported).toBeGreaterThan(4)
    await reader.forceFlush().catch(() => undefined)
    expect(exports).toBe(spansExported + 1)
  })

  it('changes no response and no call when the context manager throws', async () => {
    const manager: ContextManager = {
      active: fail,
      with: fail,
      bind: fail,
      enable: () => manager,
      disable: () => manager,
    }
    context.setGlobalContextManager(manager)
    onTestFinished(() => context.disable())
    expect(await run(openTelemetryInstrumentation())).toEqual(UNHARMED)
  })
})

describe('telemetry without an SDK', () => {
  it('changes nothing', async () => {
    expect(await run(openTelemetryInstrumentation())).toEqual(UNHARMED)
  })

  it('uses providers that are registered later from then on', async () => {
    const inbox = memoryInbox()
    const instrumentation = openTelemetryInstrumentation()
    const shop = openShop([order()], { inbox, instrumentation })
    await shop.send(transferCompleted())
    const sdk = startTelemetry()
    metrics.setGlobalMeterProvider(sdk.providers.meterProvider)
    trace.setGlobalTracerProvider(sdk.providers.tracerProvider)
    onTestFinished(() => {
      metrics.disable()
      trace.disable()
    })
    await shop.send(transferCompleted())
    const collected = await sdk.collect()
    expect(collected['tonplug.webhook.decisions']).toHaveLength(1)
    expect(collected['tonplug.inbox.dead']).toHaveLength(1)
    const [delivery] = sdk.spans('tonplug.delivery')
    expect(delivery?.instrumentationScope).toMatchObject({
      name: SCOPE_NAME,
      version: SCOPE_VERSION,
    })
  })
})

it('has the version of package.json in scope.ts', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  )
  expect(manifest).toMatchObject({ name: SCOPE_NAME, version: SCOPE_VERSION })
})
