import { context, trace } from '@opentelemetry/api'
import { createV2Client, createV3Client } from '@tonplug/core/toncenter'
import { v2Endpoints, v3Endpoints } from '@tonplug/core/internal'
import { openTelemetryInstrumentation } from '@tonplug/core/opentelemetry'
import { describe, expect, it } from 'vitest'
import { endpointName } from '../../src/opentelemetry/attributes.js'
import { API_KEY, createLine, readCall } from '../toncenter/transport/calls.js'
import { startScriptedApi } from '@tonplug/test-support/mock-api'
import { refuse, hang, succeed } from '@tonplug/test-support/responses'
import { startTelemetry } from '@tonplug/test-support/telemetry'

const endpoint = { 'tonplug.endpoint': 'getMasterchainInfo' }

/** The attributes of every request to a server at this address. */
function requestsTo(url: string) {
  const { hostname, port } = new URL(url)
  const server = { 'server.address': hostname, 'server.port': Number(port) }
  return { ...endpoint, ...server, 'http.request.method': 'GET' }
}

describe('metrics of a client', () => {
  it('measure requests by endpoint, status and server, and count retries and 429s', async () => {
    const sdk = startTelemetry()
    const server = await startScriptedApi(
      refuse(503, 'later'),
      refuse(429, 'Ratelimit exceed'),
      succeed(1),
    )
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const { transport } = createLine({ baseUrl: server.baseUrl, instrumentation })
    await transport.request(readCall({ query: [['address', 'EQsecret']] }))
    const metrics = await sdk.collect()
    const request = requestsTo(server.baseUrl)
    const refused = (status: number, type: string) => ({
      ...request,
      'http.response.status_code': status,
      'error.type': type,
    })
    expect(metrics['tonplug.client.request.duration']).toMatchObject([
      { attributes: refused(503, 'ERR_TONPLUG_HTTP_STATUS'), value: 1 },
      { attributes: refused(429, 'ERR_TONPLUG_RATE_LIMIT'), value: 1 },
      { attributes: { ...request, 'http.response.status_code': 200 }, value: 1 },
    ])
    expect(metrics['tonplug.client.rate_limited']).toEqual([{ attributes: request, value: 1 }])
    expect(metrics['tonplug.client.retries']).toEqual([
      { attributes: { ...endpoint, 'error.type': 'ERR_TONPLUG_HTTP_STATUS' }, value: 1 },
      { attributes: { ...endpoint, 'error.type': 'ERR_TONPLUG_RATE_LIMIT' }, value: 1 },
    ])
    expect(metrics['tonplug.client.call.duration']).toMatchObject([
      { attributes: endpoint, value: 1 },
    ])
  })

  it('measure the waits for the rate limit in seconds', async () => {
    const sdk = startTelemetry()
    const server = await startScriptedApi(succeed(1))
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const { transport, clock } = createLine({ baseUrl: server.baseUrl, rps: 1, instrumentation })
    await transport.request(readCall())
    const waiting = transport.request(readCall())
    await clock.advance(1010)
    await waiting
    const { 'tonplug.client.wait.duration': waits } = await sdk.collect()
    expect(waits).toEqual([{ attributes: endpoint, value: 1, sum: 1.01 }])
  })

  it('name the kind of failure, and no parameter of a caller', async () => {
    const sdk = startTelemetry()
    const server = await startScriptedApi(refuse(404, 'nothing'))
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const { transport } = createLine({ baseUrl: server.baseUrl, instrumentation })
    const path = '/staking/EQBvW8Z5huBkMJYdnfAEM5JqTNkuWX3diqYENkWsIL0XggGG'
    await expect(createV3Client({ transport }).request({ path })).rejects.toThrow('404')
    const metrics = await sdk.collect()
    const other = { 'tonplug.endpoint': '_OTHER' }
    expect(metrics['tonplug.client.call.duration']).toMatchObject([
      { attributes: { ...other, 'error.type': expect.stringContaining('ERR_TONPLUG') as string } },
    ])
    expect(JSON.stringify([metrics, sdk.spans().map(({ name }) => name)])).not.toContain('EQB')
  })

  it('name every endpoint', () => {
    const names = Object.values({ ...v2Endpoints, ...v3Endpoints }).map(({ name }) => name)
    expect(names.length).toBeGreaterThan(60)
    expect(names.filter((name) => endpointName(name) !== name)).toEqual([])
  })
})

describe('spans of a client', () => {
  it('are one for each call, in the active span, and one for each attempt in that', async () => {
    const sdk = startTelemetry()
    const seen: unknown[] = []
    const server = await startScriptedApi(refuse(503, 'later'), succeed(1))
    const { transport } = createLine({
      baseUrl: `${server.baseUrl}/secret-prefix`,
      instrumentation: openTelemetryInstrumentation(sdk.providers),
      hooks: { request: () => void seen.push(trace.getActiveSpan()?.spanContext().spanId) },
    })
    const parent = sdk.providers.tracerProvider.getTracer('test').startSpan('GET /balance')
    await context.with(trace.setSpan(context.active(), parent), () =>
      transport.request(readCall({ query: [['address', 'EQsecret']] })),
    )
    const [call] = sdk.spans('tonplug.call getMasterchainInfo')
    const attempts = sdk.spans('GET getMasterchainInfo')
    expect(call?.parentSpanContext).toEqual(parent.spanContext())
    expect(call?.status.code).toBe(0)
    expect(attempts.map(({ parentSpanContext }) => parentSpanContext)).toEqual([
      call?.spanContext(),
      call?.spanContext(),
    ])
    const request = { ...requestsTo(server.baseUrl), 'tonplug.api': 'v2' }
    expect(attempts.map(({ attributes }) => attributes)).toEqual([
      {
        ...request,
        'http.response.status_code': 503,
        'error.type': 'ERR_TONPLUG_HTTP_STATUS',
      },
      { ...request, 'http.response.status_code': 200, 'http.request.resend_count': 1 },
    ])
    expect(attempts.map(({ status, kind }) => ({ code: status.code, kind }))).toEqual([
      { code: 2, kind: 2 },
      { code: 0, kind: 2 },
    ])
    // What fetch is wrapped in, such as the instrumentation of undici, is inside of the attempt.
    expect(seen).toEqual(attempts.map((span) => span.spanContext().spanId))
    const text = JSON.stringify(sdk.spans().map(({ attributes, name }) => [name, attributes]))
    expect(text).not.toMatch(/secret/)
  })

  it('are one for each call that shares a request, and failed when the call fails', async () => {
    const sdk = startTelemetry()
    const server = await startScriptedApi(refuse(404, 'nothing'))
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const { transport } = createLine({ baseUrl: server.baseUrl, instrumentation })
    const v2 = createV2Client({ transport })
    await Promise.allSettled([v2.getMasterchainInfo(), v2.getMasterchainInfo()])
    const calls = sdk.spans('tonplug.call getMasterchainInfo')
    expect(calls.map(({ status }) => status.code)).toEqual([2, 2])
    expect(calls[0]?.attributes).toMatchObject({ 'error.type': 'ERR_TONPLUG_NOT_FOUND' })
    expect(sdk.spans('GET getMasterchainInfo')).toHaveLength(1)
  })

  it('are ended, and not failed, when the caller aborts', async () => {
    const sdk = startTelemetry()
    const server = await startScriptedApi(hang)
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const { transport } = createLine({ baseUrl: server.baseUrl, instrumentation })
    const controller = new AbortController()
    const call = transport.request(readCall(), { signal: controller.signal })
    await server.waitForRequests(1)
    controller.abort()
    await expect(call).rejects.toThrow('aborted')
    const spans = sdk.spans()
    expect(spans.map(({ name }) => name).toSorted()).toEqual([
      'GET getMasterchainInfo',
      'tonplug.call getMasterchainInfo',
    ])
    expect(spans.map(({ status }) => status.code)).toEqual([0, 0])
    expect(spans.map(({ attributes }) => attributes['error.type'])).toEqual([
      'AbortError',
      'AbortError',
    ])
  })

  it('never contain the API key', async () => {
    const sdk = startTelemetry()
    const server = await startScriptedApi(refuse(400, `bad key ${API_KEY}`))
    const instrumentation = openTelemetryInstrumentation(sdk.providers)
    const { transport } = createLine({ baseUrl: `${server.baseUrl}/${API_KEY}`, instrumentation })
    await expect(transport.request(readCall())).rejects.toThrow('400')
    const told = sdk
      .spans()
      .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
    expect(told).toHaveLength(2)
    expect(JSON.stringify([told, await sdk.collect()])).not.toContain(API_KEY)
  })
})
